/* Checks the messages of readers, expressions and commands about mistakes (see texts.c). */
#include "answers.h"

int main(void)
{
    return texts_compare("test_texts", ANSWERS_OF_MISTAKES);
}
