/* remove_directory: removes a test's own directory, and the files in it. */
#ifndef LOADLINE_TESTS_REMOVE_DIRECTORY_H
#define LOADLINE_TESTS_REMOVE_DIRECTORY_H

void remove_directory(const char *path);

#endif
