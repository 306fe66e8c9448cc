# In a chart of lines against n: marks where the sizes at the right were measured by another card of the same model.
do for [i = 1:words(CARD_CHANGES)] {
    set arrow 500 + i from word(CARD_CHANGES, i) + 0, graph 0 to word(CARD_CHANGES, i) + 0, graph 1 nohead back lc rgb 0x808080 lw 1 dt 3
}
