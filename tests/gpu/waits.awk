# Returns whether blocks of a point that polls wait for others, which they do if there are more blocks than
# results.

function waits(grid, n, row_length)
{
    return grid > (row_length > 0 ? n / row_length : 1)
}
