# Draws marks at which the card changes, in a chart of lines against n. Another card of the same model measured the
# sizes to the right of a mark.
do for [i = 1:words(CARD_CHANGES)] {
    set arrow 500 + i from word(CARD_CHANGES, i) + 0, graph 0 to word(CARD_CHANGES, i) + 0, graph 1 nohead back lc rgb 0x808080 lw 1 dt 3
}
