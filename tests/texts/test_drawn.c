/* Checks the content of charts of runs (see texts.c). */
#include "answers.h"

int main(void)
{
    return texts_compare("test_drawn", ANSWERS_OF_CHARTS);
}
