/*
 * Text in a page: what HTML would take for its own is escaped.
 */
#include "compare/report.h"

#include <string.h>

void report_text(struct text *page, const char *text)
{
    while (*text) {
        size_t plain = strcspn(text, "&<>\"");
        text_append_bytes(page, text, plain);
        text += plain;
        switch (*text) {
        case '&':
            text_append(page, "&amp;");
            break;
        case '<':
            text_append(page, "&lt;");
            break;
        case '>':
            text_append(page, "&gt;");
            break;
        case '"':
            text_append(page, "&quot;");
            break;
        default:
            return;
        }
        text++;
    }
}
