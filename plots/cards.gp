# Marks where the card changes, in charts of lines against n. Sizes to the right of a mark were
# measured on another card of the same model.
do for [i = 1:words(CARD_CHANGES)] {
    set arrow 500 + i from word(CARD_CHANGES, i) + 0, graph 0 to word(CARD_CHANGES, i) + 0, graph 1 nohead back lc rgb 0x808080 lw 1 dt 3
}
