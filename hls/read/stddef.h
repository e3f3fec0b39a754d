/* <stddef.h>, as declarations: this folder is searched by the reader alone, compilers have theirs. */
#pragma once
#ifdef __cplusplus
#define NULL __null
/* C's names are in one namespace, which the global one and std both use: <cmath> is <math.h>. */
namespace hlsmem_c {}
namespace std {
using namespace hlsmem_c;
typedef decltype(nullptr) nullptr_t;
}
using namespace hlsmem_c;
#define HLSMEM_C namespace hlsmem_c { extern "C" {
#define HLSMEM_END }}
#else
#define NULL ((void *)0)
typedef __WCHAR_TYPE__ wchar_t;
#define HLSMEM_C
#define HLSMEM_END
#endif
HLSMEM_C
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
HLSMEM_END
#define offsetof(type, member) __builtin_offsetof(type, member)
