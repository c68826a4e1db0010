// The trie of scoring/trie.py, read where it lies: two flat arrays, nodes numbered breadth first.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace wordtray {

// A set of letters, a bit each from bit 1; bit 0 says that a word ends.
using Letters = std::uint64_t;
using Node = std::uint32_t;

constexpr Letters kWordEnd = 1;
constexpr Node kRoot = 0;
constexpr unsigned kLongestWord = 64;

inline unsigned count(Letters letters) { return __builtin_popcountll(letters); }

// The letters before this one in the alphabet; the end of a word, bit 0, is among them.
inline Letters lower(Letters letter) { return letter - 1; }

class Trie {
 public:
  Trie(const Letters* masks, const Node* firsts, Node nodes)
      : masks(masks), firsts(firsts), nodes(nodes) {
    // The first child of a level's first node is where the next level starts, childless or not.
    unsigned depth = 0;
    for (Node start = kRoot; start < nodes; start = firsts[start]) {
      if (depth++ > kLongestWord) throw std::length_error("a word is too long");
    }
    for (Node node = kRoot; node < nodes; ++node) {
      const std::uint64_t end = std::uint64_t{firsts[node]} + count(masks[node] & ~kWordEnd);
      if (firsts[node] <= node || end > nodes) throw std::length_error("a node has no such child");
    }
  }

  // The child that `letter` leads to, which must be there.
  Node child(Node node, Letters letter) const {
    return firsts[node] + count(masks[node] & ~kWordEnd & lower(letter));
  }

  const Letters* const masks;
  const Node* const firsts;
  const Node nodes;
};

}  // namespace wordtray
