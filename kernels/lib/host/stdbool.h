/* bool is a type of C++. */
