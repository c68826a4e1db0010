// The trie of scoring/trie.py, read where it lies: two flat arrays, nodes numbered breadth first.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

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
    for (Node start = kRoot; start < nodes; start = firsts[start]) {
      if (starts_.size() > kLongestWord) throw std::length_error("a word is too long");
      starts_.push_back(start);
    }
  }

  // The child that `letter` leads to, which must be there.
  Node child(Node node, Letters letter) const {
    return firsts[node] + count(masks[node] & ~kWordEnd & lower(letter));
  }

  // How many letters lead to the node.
  unsigned depth(Node node) const {
    unsigned depth = 0;
    while (depth + 1 < starts_.size() && starts_[depth + 1] <= node) ++depth;
    return depth;
  }

  const Letters* const masks;
  const Node* const firsts;
  const Node nodes;

 private:
  std::vector<Node> starts_;  // the first node of each depth
};

}  // namespace wordtray
