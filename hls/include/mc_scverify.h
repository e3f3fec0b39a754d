/* mc_scverify.h of Catapult: a test bench is plain C++. */
#pragma once
#include "ac_channel.h"
#define CCS_DESIGN(name) name
#define CCS_BLOCK(name) name
#define CCS_MAIN(...) int main(__VA_ARGS__)
#define CCS_RETURN(value) return value
