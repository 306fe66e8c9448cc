# Returns whether blocks wait for each other at a polling kernel's point. They do if there are more
# blocks than results.

function waits(grid, n, row_length)
{
    return grid > (row_length > 0 ? n / row_length : 1)
}
