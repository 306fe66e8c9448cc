/* Checks the output of commands about runs (see texts.c). */
#include "answers.h"

int main(void)
{
    return texts_compare("test_outputs", ANSWERS_OF_RUNS);
}
