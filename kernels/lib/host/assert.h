/* assert() is built into the compiler. */
