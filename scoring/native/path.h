// A path of one word across a board; no trie is asked.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "board.h"

namespace wordtray {

using Cells = std::uint64_t;  // a set of cells, a bit each

class PathFinder {
 public:
  // The letters of each cell, row by row, none for a blank; `kMostCells` cells at most. `pause` is
  // called now and then in a long search, and ends it by what it throws.
  PathFinder(std::vector<std::u32string> faces, unsigned cols, std::u32string_view word,
             std::function<void()> pause)
      : faces_(std::move(faces)),
        cols_(cols),
        word_(word),
        pause_(std::move(pause)),
        onward_(word.size() + 1) {
    for (unsigned cell = 0; cell < faces_.size(); ++cell) around_[cell] = around(cell);
    look_ahead();
  }

  // The cells of a path, first cell first; none where there is none.
  std::vector<std::uint8_t> find() {
    if (!word_.empty() && has_letters() && extend(onward_[0], 0, 0)) return path_;
    return {};
  }

 private:
  // Whether the board has every letter as often as the word.
  bool has_letters() const {
    std::unordered_map<char32_t, int> left;
    for (const std::u32string& face : faces_) {
      for (const char32_t letter : face) ++left[letter];
    }
    return std::all_of(word_.begin(), word_.end(),
                       [&left](char32_t letter) { return left[letter]-- > 0; });
  }

  // Tells for each place in the word which cells can spell the rest from there if cubes may be used
  // again. It says too much, but keeps the search from walking every path of a board of few
  // letters.
  void look_ahead() {
    onward_.back() = ~Cells{0};
    for (std::size_t start = word_.size(); start-- > 0;) {
      for (unsigned cell = 0; cell < faces_.size(); ++cell) {
        const std::u32string& face = faces_[cell];
        if (face.empty() || word_.compare(start, face.size(), face) != 0) continue;
        const std::size_t end = start + face.size();
        if (end == word_.size() || (onward_[end] & around_[cell])) onward_[start] |= bit(cell);
      }
    }
  }

  // Goes on from the letter at `start` to one of the cells `next`; true when the word is spelt.
  bool extend(Cells next, std::size_t start, Cells used) {
    for (; next; next &= next - 1) {
      if (++steps_ % kStepsBetweenPauses == 0) pause_();
      const unsigned cell = __builtin_ctzll(next);
      const std::size_t end = start + faces_[cell].size();
      path_.push_back(static_cast<std::uint8_t>(cell));
      const Cells taken = used | bit(cell);
      if (end == word_.size() ? path_.size() >= kFewestCubes
                              : extend(onward_[end] & around_[cell] & ~taken, end, taken)) {
        return true;
      }
      path_.pop_back();
    }
    return false;
  }

  Cells around(unsigned cell) const {
    Cells cells = 0;
    for (unsigned other = 0; other < faces_.size(); ++other) {
      if (other != cell && are_adjacent(cell, other, cols_)) cells |= bit(other);
    }
    return cells;
  }

  static constexpr std::size_t kStepsBetweenPauses = 1 << 20;  // some milliseconds

  static Cells bit(unsigned cell) { return Cells{1} << cell; }

  const std::vector<std::u32string> faces_;
  const unsigned cols_;
  const std::u32string_view word_;
  const std::function<void()> pause_;
  std::vector<Cells> onward_;
  std::array<Cells, kMostCells> around_{};
  std::vector<std::uint8_t> path_;
  std::size_t steps_ = 0;
};

}  // namespace wordtray
