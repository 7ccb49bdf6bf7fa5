// The part of libcurl's interface that is used, as its headers declare it (curl/curl.h, curl/multi.h).
//
// Written out here, so that building needs no header: since libcurl.so.4 (2006), numbers and types of that
// interface are only added, never changed (curl.se/libcurl/abi.html).
#ifndef TRIM_LATECURL_LIBRARY_H
#define TRIM_LATECURL_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

typedef void CURL;
typedef void CURLM;
struct curl_slist;

enum { CURL_GLOBAL_ALL = 3, CURL_SOCKET_BAD = -1, CURL_SOCKOPT_ALREADY_CONNECTED = 2 };
enum { CURL_WAIT_POLLIN = 1, CURLMSG_DONE = 1, CURL_ERROR_SIZE = 256 };

typedef enum {
  CURLOPT_WRITEDATA = 10001,
  CURLOPT_URL = 10002,
  CURLOPT_PROXY = 10004,
  CURLOPT_ERRORBUFFER = 10010,
  CURLOPT_HTTPHEADER = 10023,
  CURLOPT_HEADERDATA = 10029,
  CURLOPT_SSLVERSION = 32,
  CURLOPT_FOLLOWLOCATION = 52,
  CURLOPT_NETRC = 51,
  CURLOPT_SSL_VERIFYPEER = 64,
  CURLOPT_FRESH_CONNECT = 74,
  CURLOPT_HTTPGET = 80,
  CURLOPT_SSL_VERIFYHOST = 81,
  CURLOPT_HTTP_VERSION = 84,
  CURLOPT_DNS_CACHE_TIMEOUT = 92,
  CURLOPT_CAPATH = 10097,
  CURLOPT_BUFFERSIZE = 98,
  CURLOPT_NOSIGNAL = 99,
  CURLOPT_PRIVATE = 10103,
  CURLOPT_OPENSOCKETDATA = 10164,
  CURLOPT_PROTOCOLS = 181,
  CURLOPT_RESOLVE = 10203,
  CURLOPT_NOPROXY = 10177,
  CURLOPT_PATH_AS_IS = 234,
  CURLOPT_PIPEWAIT = 237,
  CURLOPT_WRITEFUNCTION = 20011,
  CURLOPT_HEADERFUNCTION = 20079,
  CURLOPT_SOCKOPTFUNCTION = 20148,
  CURLOPT_OPENSOCKETFUNCTION = 20163,
  CURLOPT_CAINFO_BLOB = 40309
} CURLoption;

enum { CURL_HTTP_VERSION_2TLS = 4, CURL_SSLVERSION_TLSv1_2 = 6 };
enum { CURLPROTO_HTTP = 1, CURLPROTO_HTTPS = 2, CURLPIPE_MULTIPLEX = 2 };

typedef enum { CURLMOPT_PIPELINING = 3, CURLMOPT_MAXCONNECTS = 6 } CURLMoption;
typedef enum { CURLINFO_PRIVATE = 0x100015, CURLINFO_HTTP_VERSION = 0x20002E } CURLINFO;

typedef enum {
  CURLE_OK = 0,
  CURLE_UNSUPPORTED_PROTOCOL = 1,
  CURLE_WEIRD_SERVER_REPLY = 8,
  CURLE_HTTP2 = 16,
  CURLE_PARTIAL_FILE = 18,
  CURLE_OUT_OF_MEMORY = 27,
  CURLE_SSL_CONNECT_ERROR = 35,
  CURLE_GOT_NOTHING = 52,
  CURLE_SEND_ERROR = 55,
  CURLE_RECV_ERROR = 56,
  CURLE_SSL_CERTPROBLEM = 58,
  CURLE_SSL_CIPHER = 59,
  CURLE_PEER_FAILED_VERIFICATION = 60,
  CURLE_BAD_CONTENT_ENCODING = 61,
  CURLE_SSL_CACERT_BADFILE = 77,
  CURLE_SSL_ISSUER_ERROR = 83,
  CURLE_SSL_PINNEDPUBKEYNOTMATCH = 90,
  CURLE_SSL_INVALIDCERTSTATUS = 91,
  CURLE_HTTP2_STREAM = 92,
  CURLE_TOO_LARGE = 100
} CURLcode;

struct curl_blob {
  void *data;
  size_t len;
  unsigned flags;
};

struct curl_waitfd {
  int fd;
  short events;
  short revents;
};

typedef struct {
  int msg;
  CURL *easy_handle;
  union {
    void *whatever;
    CURLcode result;
  } data;
} CURLMsg;

typedef struct {
  int age;
  const char *version;
  unsigned version_num;
  const char *host;
  int features;
  const char *ssl_version;
} curl_version_info_data;

enum { CURL_VERSION_HTTP2 = 1 << 16 };

CURLcode curl_global_init(long flags);
curl_version_info_data *curl_version_info(int age);
CURL *curl_easy_init(void);
void curl_easy_cleanup(CURL *handle);
CURLcode curl_easy_setopt(CURL *handle, CURLoption option, ...);
CURLcode curl_easy_getinfo(CURL *handle, CURLINFO info, ...);
const char *curl_easy_strerror(CURLcode code);
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text);
void curl_slist_free_all(struct curl_slist *list);
CURLM *curl_multi_init(void);
int curl_multi_cleanup(CURLM *multi);
int curl_multi_setopt(CURLM *multi, CURLMoption option, ...);
int curl_multi_add_handle(CURLM *multi, CURL *handle);
int curl_multi_remove_handle(CURLM *multi, CURL *handle);
int curl_multi_perform(CURLM *multi, int *running);
int curl_multi_poll(CURLM *multi, struct curl_waitfd *extra, unsigned count, int milliseconds,
                    int *ready);
CURLMsg *curl_multi_info_read(CURLM *multi, int *left);

#define CURL_FUNCTIONS(F)                                                                          \
  F(curl_global_init)                                                                              \
  F(curl_version_info)                                                                             \
  F(curl_easy_init)                                                                                \
  F(curl_easy_cleanup)                                                                             \
  F(curl_easy_setopt)                                                                              \
  F(curl_easy_getinfo)                                                                             \
  F(curl_easy_strerror)                                                                            \
  F(curl_slist_append)                                                                             \
  F(curl_slist_free_all)                                                                           \
  F(curl_multi_init)                                                                               \
  F(curl_multi_cleanup)                                                                            \
  F(curl_multi_setopt)                                                                             \
  F(curl_multi_add_handle)                                                                         \
  F(curl_multi_remove_handle)                                                                      \
  F(curl_multi_perform)                                                                            \
  F(curl_multi_poll)                                                                               \
  F(curl_multi_info_read)

#define DECLARE(name) extern __typeof__(&name) late_##name __attribute__((visibility("hidden")));
CURL_FUNCTIONS(DECLARE)
#undef DECLARE

// Returns 0, or -1 with a reason in `message`.
__attribute__((visibility("hidden"))) int trim_curl_load(char *message, size_t size);

#endif
