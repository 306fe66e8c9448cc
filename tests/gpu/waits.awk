# Returns whether, at a point of a kernel that polls, blocks wait for each other. They do if there
# are more blocks than results.

function waits(grid, n, row_length)
{
    return grid > (row_length > 0 ? n / row_length : 1)
}
