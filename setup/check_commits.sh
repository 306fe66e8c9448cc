#!/bin/sh
# Checks the subjects of the commits since this file was added: "area: verb …", at most 72
# characters. Ignores merge commits. Checks nothing in a shallow clone without the commit that added
# this file, or in a tree without a history.
#   setup/check_commits.sh        in the root of the tree
set -u
unchecked() { echo "check-commits: $1: nothing is checked"; exit 0; }

git rev-parse --git-dir >/dev/null 2>&1 || unchecked "there is no history here"
first=$(git log --diff-filter=A --format=%H -- setup/check_commits.sh | tail -1)
[ -n "$first" ] || unchecked "no commit here adds setup/check_commits.sh"
# In a shallow clone, the oldest commit appears to add every file.
git rev-parse -q --verify "$first^" >/dev/null || unchecked "commits are missing from this clone"

git log --no-merges --format='%h %s' "$first..HEAD" | LC_ALL=C awk '
    { hash = $1; subject = substr($0, length(hash) + 2); why = "" }
    { letters = subject; gsub(/[\200-\277]/, "", letters) } # bytes that start a character
    length(letters) > 72 { why = "has " length(letters) " characters; at most 72 are allowed" }
    !match(subject, /^[a-z][a-z0-9_.,\/ -]*: /) { why = "does not begin with an area: \"analyze: read …\"" }
    !why {
        split(substr(subject, RLENGTH + 1), word, " ")
        if (word[1] !~ /^[a-z][a-z-]*$/ || word[1] ~ /(ing|ed)$/ && word[1] !~ /^(embed|feed|need|seed|speed|bring|string|ring)$/ ||
            word[1] ~ /^(a|an|the|this|that|it|no|not|more|new|now|some|for|in|of|on|with|when|if)$/)
            why = "has \"" word[1] "\" after the area, where a verb in the imperative belongs"
    }
    why { printf "check-commits: %s \"%s\" %s\n", hash, subject, why; failed = 1 }
    END { if (!failed) printf "check-commits: %d subjects checked\n", NR; exit failed }'
