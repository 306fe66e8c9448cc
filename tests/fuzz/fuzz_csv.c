/* Reads a table from CSV. */
#include "fuzz.h"

#include "table/table.h"
#include "../table/cells.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct table t;
    struct error e = {0};
    if (!table_parse("fuzz.csv", copy_text(bytes, length), length, NULL, NULL, &t, &e)) {
        must_explain(&e);
        return 0;
    }
    size_t cells = 0;
    for (size_t row = 0; row < t.row_count; row++)
        for (size_t c = 0; c < t.columns.count; c++) {
            cells += strlen(table_cell(&t, row, (int)c));
            (void)table_number(&t, row, (int)c);
        }
    if (cells > length)
        abort(); /* cells must point to bytes of the file */
    table_free(&t);
    return 0;
}
