# Charts the output of lanes_cards.awk. `cards` is the number of cards:
#
#   gnuplot -e "data='cards.txt'; out='cards.svg'; cards=2" experiments/measuring/lanes_cards.gp
set terminal svg size 900,620 font "sans-serif,13" background "#ffffff"
set output out
set multiplot layout 2,1
set logscale x 2
set format x "2^{%L}"
set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05
set grid ytics lc rgb "#dddddd"
set key outside right top
set xlabel "elements"
set ylabel "time / first card's"
do for [cache in "cold warm"] {
    set title cache." caches: median, smallest and largest ratio of the points of a size"
    plot for [card=2:cards] "<grep '^".cache." ' '".data."'" \
             using ($3 == card ? $2 * (1 + 0.03 * (card - 1 - cards / 2.0)) : 1/0):4:5:6 with yerrorbars pt 7 ps 0.6 \
             title sprintf("card %d", card), \
         1 with lines lc rgb "#888888" title "card 1"
}
unset multiplot
