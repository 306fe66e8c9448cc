# Whether blocks of a point that poll wait for others: there are more of them than results.

function waits(grid, n, row_length)
{
    return grid > (row_length > 0 ? n / row_length : 1)
}
