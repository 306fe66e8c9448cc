# Returns whether blocks wait for other blocks at a point whose kernel polls. They do if there are
# more blocks than results.

function waits(grid, n, row_length)
{
    return grid > (row_length > 0 ? n / row_length : 1)
}
