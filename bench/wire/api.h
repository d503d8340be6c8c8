// The API keys and the one version of each that load and floor speak: the newest with the
// non-flexible encoding that Apache Kafka 4.x still accepts.
#pragma once

#include <cstdint>

namespace millrace::bench {

enum class ApiKey : int16_t {
  kProduce = 0,
  kFetch = 1,
  kListOffsets = 2,
  kMetadata = 3,
  kApiVersions = 18,
  kCreateTopics = 19,
};

struct Api {
  ApiKey key;
  int16_t version;
};

inline constexpr Api kProduceApi{ApiKey::kProduce, 7};
inline constexpr Api kFetchApi{ApiKey::kFetch, 11};
inline constexpr Api kListOffsetsApi{ApiKey::kListOffsets, 1};
inline constexpr Api kMetadataApi{ApiKey::kMetadata, 4};
inline constexpr Api kApiVersionsApi{ApiKey::kApiVersions, 0};
inline constexpr Api kCreateTopicsApi{ApiKey::kCreateTopics, 4};

inline constexpr Api kApis[] = {kProduceApi,  kFetchApi,       kListOffsetsApi,
                                kMetadataApi, kApiVersionsApi, kCreateTopicsApi};

}  // namespace millrace::bench
