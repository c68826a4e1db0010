// A board as the search sees it: for each cell the steps to its neighbours, eight lanes wide.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "trie.h"

namespace wordtray {

constexpr unsigned kMostCells = 36;
constexpr unsigned kLanes = 8;  // neighbours of a cell at most
constexpr unsigned kFewestCubes = 2;

// A way across the board in one word, so that eight fit a vector: the node of the trie that it
// spells, the cell where it stands and the cells that it has used, from the lowest bit up.
using State = std::uint64_t;

// Where they lie: a bit for each cell, six for the number of a cell, the rest for the node.
class Layout {
 public:
  static constexpr unsigned kCellWidth = 6;
  static constexpr State kCellBits = (State{1} << kCellWidth) - 1;

  constexpr explicit Layout(unsigned cells)
      : used_shift(64 - cells), cell_shift(used_shift - kCellWidth) {}

  // The most cells of a board that leave room for so many nodes.
  static constexpr unsigned most_cells(Node nodes) {
    unsigned cells = kMostCells;
    while (nodes - 1 > Layout(cells).node_bits()) --cells;
    return cells;
  }

  constexpr State node_bits() const { return (State{1} << cell_shift) - 1; }
  constexpr State used_bits() const { return ~State{0} << used_shift; }
  Node node_of(State state) const { return static_cast<Node>(state & node_bits()); }
  unsigned cell_of(State state) const { return (state >> cell_shift) & kCellBits; }
  bool has_used(State state, unsigned cell) const { return state >> (used_shift + cell) & 1; }
  // What standing on a cell adds to a state.
  State arrival(unsigned cell) const {
    return State{1} << (used_shift + cell) | State{cell} << cell_shift;
  }

  unsigned used_shift, cell_shift;
};

// Whether two cells of a board of so many columns touch, be it at a corner; a cell touches itself.
inline bool are_adjacent(unsigned a, unsigned b, unsigned cols) {
  const auto apart = [](unsigned x, unsigned y) { return x < y ? y - x : x - y; };
  return apart(a / cols, b / cols) <= 1 && apart(a % cols, b % cols) <= 1;
}

// What a cube shows: its first letter, none for a blank, and what follows it, as in Qu or Sch.
struct Face {
  Letters head = 0;
  std::vector<Letters> tail;
};

class Board {
 public:
  // Puts faces into the cells, row by row. `faces` must outlive their use.
  void lay(unsigned rows, unsigned cols, const Face* const* faces) {
    if (rows != rows_ || cols != cols_) shape(rows, cols);
    chains_.clear();
    for (unsigned cell = 0; cell < cells(); ++cell) {
      heads_[cell] = faces[cell]->head;
      if (!faces[cell]->tail.empty()) chains_.push_back({cell, &faces[cell]->tail});
    }
    for (unsigned cell = 0; cell < cells(); ++cell) {
      Letters all = 0;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const Letters letter = heads_[neighbours_[cell][lane]];
        letter_[cell][lane] = letter;
        lower_[cell][lane] = letter ? lower(letter) : 0;
        all |= letter;
      }
      around_[cell] = all;
    }
  }

  unsigned cells() const { return rows_ * cols_; }
  // Of the states on this board.
  Layout layout() const { return layout_; }
  // First letter of a cell, 0 for none.
  Letters head(unsigned cell) const { return heads_[cell]; }

  // A cell whose face has more than one letter: those after the first.
  struct Chain {
    unsigned cell;
    const std::vector<Letters>* tail;
  };
  const std::vector<Chain>& chains() const { return chains_; }

  // Letters of a state's way, which has used so many cubes.
  unsigned letters(State state, unsigned cubes) const {
    unsigned letters = cubes;
    for (const Chain& chain : chains_) {
      if (layout_.has_used(state, chain.cell)) letters += chain.tail->size();
    }
    return letters;
  }

  // Of the steps from a cell, a lane each: the letter there, those before it in the alphabet, and
  // the arrival. A lane without a neighbour, or with a blank one, has no letter.
  const Letters* letter(unsigned cell) const { return letter_[cell]; }
  const Letters* lower_letters(unsigned cell) const { return lower_[cell]; }
  const State* arrive(unsigned cell) const { return arrive_[cell]; }
  // All letters around a cell; by cell number.
  const Letters* around() const { return around_; }

 private:
  void shape(unsigned rows, unsigned cols) {
    rows_ = rows;
    cols_ = cols;
    layout_ = Layout(cells() ? cells() : 1);
    for (unsigned cell = 0; cell < cells(); ++cell) {
      unsigned lane = 0;
      for (unsigned other = 0; other < cells(); ++other) {
        if (other == cell || !are_adjacent(cell, other, cols)) continue;
        neighbours_[cell][lane] = other;
        arrive_[cell][lane++] = layout_.arrival(other);
      }
      for (; lane < kLanes; ++lane) {
        neighbours_[cell][lane] = kMostCells;
        arrive_[cell][lane] = 0;
      }
    }
  }

  unsigned rows_ = 0;
  unsigned cols_ = 0;
  std::vector<Chain> chains_;
  Layout layout_{kMostCells};
  std::array<Letters, kMostCells + 1> heads_{};  // the last one is no cell: no letter
  unsigned neighbours_[kMostCells][kLanes];
  alignas(64) Letters letter_[kMostCells][kLanes];
  alignas(64) Letters lower_[kMostCells][kLanes];
  alignas(64) State arrive_[kMostCells][kLanes];
  Letters around_[kMostCells];
};

}  // namespace wordtray
