/* What readers, expressions and commands say to mistakes: see texts.c. */
#include "answers.h"

int main(void)
{
    return texts_compare("test_texts", ANSWERS_OF_MISTAKES);
}
