// Finds the words of a trie on a board, level by level.
//
// The textbook search is recursive: at each cell it tries the neighbours in turn and goes down
// where the trie goes on. Its few instructions per step wait for each other and for branches that
// no processor predicts, since they depend on the letters: some 35 ns a node.
//
// Here all ways of one length are a frontier, an array of states, and one loop takes the whole of
// it a step further (see kernels.h). The loops have no such branches, their memory accesses do not
// depend on each other and overlap, and the work falls into the eight lanes of a vector. That is
// three to four times as fast as the recursion without vectors and seven to ten times with them.
// It costs memory for one level: some hundred states on an ordinary board.
//
// A face of several letters is one step: after it the trie is followed along the letters that
// remain, in a pass of its own that other boards do not need.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "board.h"
#include "kernels.h"
#include "trie.h"

namespace wordtray {

// What words of each number of letters are worth.
struct Worth {
  using Points = std::array<std::int32_t, kLongestWord + 1>;
  static constexpr std::int32_t kTooShort = -1;

  Worth() = default;
  explicit Worth(const Points& points) : points(points) {
    for (unsigned length = 0; length <= kLongestWord; ++length) {
      for (unsigned other = 0; other <= kLongestWord; ++other) {
        rank[length] +=
            points[other] > points[length] || (points[other] == points[length] && other > length);
      }
    }
  }

  Points points{};                                    // kTooShort where a word does not count
  std::array<std::uint8_t, kLongestWord + 1> rank{};  // 0 is best: by points, then the longer
};

struct FoundWord {
  Node node;
  std::uint8_t length;  // letters
  std::uint8_t cubes;
  std::uint32_t path;  // where its cells begin in Found::cells
};

struct Found {
  std::int64_t points = 0;
  std::vector<FoundWord> words;
  std::vector<std::uint8_t> cells;
};

class Search {
 public:
  virtual ~Search() = default;
  // The points of all words.
  virtual std::int64_t score(const Board& board, const Worth& worth) = 0;
  // All words that count, each once with one of its paths, shorter paths first.
  virtual Found words(const Board& board, const Worth& worth) = 0;
};

template <class Kernel>
class LevelSearch final : public Search {
 public:
  explicit LevelSearch(const Trie& trie) : trie_(trie), seen_(trie.nodes) {}

  std::int64_t score(const Board& board, const Worth& worth) override {
    const Layout layout = board.layout();
    std::int64_t points = 0;
    run<false>(board, [&](unsigned length, const Frontier& ends) {
      std::int64_t same = 0, fresh;  // words of the level's length
      for (std::size_t at = 0; at < ends.size; ++at) {
        const Node node = layout.node_of(ends.states[at]);
        fresh = seen_[node] != turn_;
        seen_[node] = turn_;
        if (length == 0) points += fresh * std::max(worth.points[trie_.depth(node)], 0);
        same += fresh;
      }
      if (length) points += same * std::max(worth.points[length], 0);
    });
    return points;
  }

  Found words(const Board& board, const Worth& worth) override {
    Found found;
    found.words.reserve(kWordsOfMostBoards);
    found.cells.reserve(kWordsOfMostBoards * kCubesOfMostWords);
    const Layout layout = board.layout();
    unsigned cubes = 1;
    run<true>(board, [&](unsigned length, const Frontier& ends) {
      ++cubes;
      for (std::size_t at = 0; at < ends.size; ++at) {
        const Node node = layout.node_of(ends.states[at]);
        const unsigned letters = length ? length : trie_.depth(node);
        if (std::exchange(seen_[node], turn_) == turn_ ||
            worth.points[letters] == Worth::kTooShort) {
          continue;
        }
        found.points += worth.points[letters];
        found.words.push_back({node, static_cast<std::uint8_t>(letters),
                               static_cast<std::uint8_t>(cubes),
                               static_cast<std::uint32_t>(found.cells.size())});
        trace(layout, found.cells, cubes, ends.states[at], ends.parents[at]);
      }
    });
    return found;
  }

 private:
  // Calls take(length, ends) for each level from the second on: the states where words end, of so
  // many letters, or of 0 where faces of several letters make them differ. A single face is no
  // word, hence nothing for the first level.
  template <bool kPaths, class Take>
  void run(const Board& board, Take take) {
    new_turn();
    Kept kept{};
    Frontier frontier = start<kPaths>(board);
    for (unsigned level = 1; frontier.size; ++level) {
      if (board.chained()) follow_tails<kPaths>(board, frontier);
      const std::size_t from = kPaths ? kept.size : 0;  // paths need all levels kept
      kept = kept_.template room<kPaths>(from, frontier.size);
      Frontier ends = ends_.template room<kPaths>(frontier.size);
      Kernel::template visit<kPaths>(trie_, board, frontier, kept, ends);
      if (level >= kFewestCubes) take(board.chained() ? 0 : level, ends);
      frontier = frontier_.template room<kPaths>(kLanes * (kept.size - from));
      Kernel::template expand<kPaths>(trie_, board, kept, from, frontier);
    }
  }

  template <bool kPaths>
  Frontier start(const Board& board) {
    Frontier frontier = frontier_.template room<kPaths>(board.cells());
    for (unsigned cell = 0; cell < board.cells(); ++cell) {
      const Letters letter = board.face(cell).head;
      if (!(trie_.masks[kRoot] & letter)) continue;
      frontier.states[frontier.size++] = board.layout().arrival(cell) | trie_.child(kRoot, letter);
    }
    return frontier;
  }

  // Takes the states that stand on a face of several letters through the letters after the first,
  // and drops those that no word follows.
  template <bool kPaths>
  void follow_tails(const Board& board, Frontier& frontier) {
    const Layout layout = board.layout();
    std::size_t kept = 0;
    for (std::size_t at = 0; at < frontier.size; ++at) {
      const State state = frontier.states[at];
      Node node = layout.node_of(state);
      bool there = true;
      for (const Letters letter : board.face(layout.cell_of(state)).tail) {
        there = trie_.masks[node] & letter;
        if (!there) break;
        node = trie_.child(node, letter);
      }
      frontier.states[kept] = (state & ~layout.node_bits()) | node;
      if constexpr (kPaths) frontier.parents[kept] = frontier.parents[at];
      kept += there;
    }
    frontier.size = kept;
  }

  // Appends the cells of a path, first cell first, going back from its last state.
  void trace(Layout layout, std::vector<std::uint8_t>& cells, unsigned cubes, State state,
             Index parent) {
    cells.resize(cells.size() + cubes);
    std::uint8_t* cell = &cells.back();
    for (; cubes > 1; --cubes) {
      *cell-- = static_cast<std::uint8_t>(layout.cell_of(state));
      state = kept_.ways.states[parent];
      parent = kept_.ways.parents[parent];
    }
    *cell = static_cast<std::uint8_t>(layout.cell_of(state));
  }

  // A node is marked with the number of the turn, so that no board has to wipe the marks of the one
  // before; only when the byte has run through.
  void new_turn() {
    if (++turn_ == 0) {
      seen_.assign(seen_.size(), 0);
      turn_ = 1;
    }
  }

  // Arrays that grow to what the richest board has needed.
  struct States {
    std::vector<State> states;
    std::vector<Index> parents;

    template <bool kPaths>
    Frontier room(std::size_t size) {
      grow(states, size);
      if constexpr (kPaths) grow(parents, size);
      return {states.data(), parents.data(), 0};
    }
  };

  struct KeptStates {
    States ways;
    std::vector<Letters> follow;

    // Those that there are stay.
    template <bool kPaths>
    Kept room(std::size_t there, std::size_t more) {
      const Frontier room = ways.template room<kPaths>(there + more);
      grow(follow, there + more);
      return {room.states, follow.data(), room.parents, there};
    }
  };

  template <class T>
  static void grow(std::vector<T>& array, std::size_t size) {
    if (size > kMostStates) {
      throw std::length_error("the board spells too many beginnings of words");
    }
    if (array.size() < size + kLanes) array.resize(2 * size + kLanes);
  }

  static constexpr std::size_t kWordsOfMostBoards = 256;
  static constexpr std::size_t kCubesOfMostWords = 6;
  // Far beyond any real board and word list, and still under 1 GB.
  static constexpr std::size_t kMostStates = std::size_t{1} << 24;

  const Trie& trie_;
  std::vector<std::uint8_t> seen_;  // by node: the last turn that found it
  std::uint8_t turn_ = 0;
  States frontier_, ends_;
  KeptStates kept_;
};

// Names of the kernels that this processor can run, the fastest first.
inline std::vector<std::string_view> kernels() {
  std::vector<std::string_view> names;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vpopcntdq")) {
    names.push_back("avx512");
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) names.push_back("avx2");
#endif
  names.push_back("portable");
  return names;
}

template <bool kFew>
std::unique_ptr<Search> make_portable(const Trie& trie) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("popcnt")) {
    return std::make_unique<LevelSearch<PortablePopcnt<kFew>>>(trie);
  }
#endif
  return std::make_unique<LevelSearch<Portable<kFew>>>(trie);
}

// A search by one of kernels(); `trie` must outlive it.
inline std::unique_ptr<Search> make_search(const Trie& trie, unsigned letters,
                                           std::string_view kernel) {
#if defined(__x86_64__)
  if (kernel == "avx512") return std::make_unique<LevelSearch<Avx512>>(trie);
  if (kernel == "avx2") return std::make_unique<LevelSearch<Avx2>>(trie);
#endif
  return letters <= kFewLetters ? make_portable<true>(trie) : make_portable<false>(trie);
}

}  // namespace wordtray
