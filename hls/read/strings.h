/* <strings.h> */
#pragma once
#include <string.h>
