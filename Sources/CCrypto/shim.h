// libcrypto has no module map of its own, and its headers hold far more than is wanted.
#include <openssl/evp.h>
#include <openssl/hmac.h>
