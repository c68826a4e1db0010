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

// Board and trie allow more ways of one length than there is memory for.
struct TooManyWays : std::runtime_error {
  TooManyWays() : std::runtime_error("too many ways across the board begin a word") {}
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
    const bool chained = !board.chains().empty();
    std::int64_t points = 0;
    run<false>(board, [&](unsigned cubes, const Frontier& ends) {
      std::int64_t words = 0;
      for (std::size_t at = 0; at < ends.size; ++at) {
        const State state = ends.states[at];
        const Node node = layout.node_of(state);
        const std::int64_t fresh = seen_[node] != turn_;
        seen_[node] = turn_;
        words += fresh;
        if (chained) points += fresh * std::max(worth.points[board.letters(state, cubes)], 0);
      }
      if (!chained) points += words * std::max(worth.points[cubes], 0);
    });
    return points;
  }

  Found words(const Board& board, const Worth& worth) override {
    Found found;
    found.words.reserve(kWordsOfMostBoards);
    found.cells.reserve(kWordsOfMostBoards * kCubesOfMostWords);
    const Layout layout = board.layout();
    run<true>(board, [&](unsigned cubes, const Frontier& ends) {
      for (std::size_t at = 0; at < ends.size; ++at) {
        const State state = ends.states[at];
        const Node node = layout.node_of(state);
        const unsigned letters = board.letters(state, cubes);
        if (std::exchange(seen_[node], turn_) == turn_ ||
            worth.points[letters] == Worth::kTooShort) {
          continue;
        }
        found.points += worth.points[letters];
        found.words.push_back({node, static_cast<std::uint8_t>(letters),
                               static_cast<std::uint8_t>(cubes),
                               static_cast<std::uint32_t>(found.cells.size())});
        trace(layout, found.cells, cubes, state, ends.parents[at]);
      }
    });
    return found;
  }

 private:
  // Calls take(cubes, ends) for each level from the second on: the states of so many cubes where
  // words end. A single face is no word, hence nothing for the first level.
  template <bool kPaths, class Take>
  void run(const Board& board, Take take) {
    new_turn();
    Kept kept{};
    Frontier frontier = start<kPaths>(board);
    for (unsigned cubes = 1; frontier.size; ++cubes) {
      if (!board.chains().empty()) follow_tails<kPaths>(board, frontier);
      const std::size_t from = kPaths ? kept.size : 0;  // paths need all levels kept
      kept = kept_.template room<kPaths>(from, frontier.size);
      Frontier ends = ends_.template room<kPaths>(frontier.size);
      Kernel::template visit<kPaths>(trie_, board, frontier, kept, ends);
      if (cubes >= kFewestCubes) take(cubes, ends);
      frontier = frontier_.template room<kPaths>(kLanes * (kept.size - from));
      Kernel::template expand<kPaths>(trie_, board, kept, from, frontier);
    }
  }

  template <bool kPaths>
  Frontier start(const Board& board) {
    Frontier frontier = frontier_.template room<kPaths>(board.cells());
    for (unsigned cell = 0; cell < board.cells(); ++cell) {
      const Letters letter = board.head(cell);
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
    for (const Board::Chain& chain : board.chains()) {
      std::size_t kept = 0;
      for (std::size_t at = 0; at < frontier.size; ++at) {
        State state = frontier.states[at];
        const bool there =
            layout.cell_of(state) != chain.cell || follow(layout, *chain.tail, state);
        frontier.states[kept] = state;
        if constexpr (kPaths) frontier.parents[kept] = frontier.parents[at];
        kept += there;
      }
      frontier.size = kept;
    }
  }

  // Takes one state through letters; false where no word follows.
  bool follow(Layout layout, const std::vector<Letters>& letters, State& state) const {
    Node node = layout.node_of(state);
    for (const Letters letter : letters) {
      if (!(trie_.masks[node] & letter)) return false;
      node = trie_.child(node, letter);
    }
    state = (state & ~layout.node_bits()) | node;
    return true;
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
    if (size > kMostStates) throw TooManyWays();
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
