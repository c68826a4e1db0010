// Many boards scored on several threads, from the moment the first of them is laid.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <future>
#include <vector>

#include "board.h"
#include "search.h"

namespace wordtray {

// A face of the table that a batch is laid from.
using FaceNumber = std::uint16_t;

// A board in few bytes.
struct Laid {
  std::uint8_t rows, cols;
  FaceNumber faces[kMostCells];
};

inline void put(const Laid& laid, const Face* table, Board& board) {
  const Face* faces[kMostCells];
  for (unsigned cell = 0; cell < unsigned{laid.rows} * laid.cols; ++cell) {
    faces[cell] = &table[laid.faces[cell]];
  }
  board.lay(laid.rows, laid.cols, faces);
}

// One thread lays boards, the others score what is laid, and in the end it helps them: laying needs
// Python and cannot be shared out, and would cost a fifth of the gain if it came first.
class Batch {
 public:
  // `table` must outlive the batch; its first elements may be added to while boards are laid.
  Batch(std::size_t size, const Face* table, const Worth& worth)
      : boards_(size), points_(size), table_(table), worth_(worth) {}
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  // Boards that were not laid are given up: what stands for them has no cells. Waits for those
  // hired, which is what the destructor of their futures does.
  ~Batch() {
    next_ = boards_.size();
    publish(boards_.size());
    hired_.clear();
  }

  // Lets a thread of its own score with this search.
  void hire(Search& search) {
    hired_.push_back(std::async(std::launch::async, [this, &search] { work(search); }));
  }

  void lay(const Laid& board) {
    boards_[laid_++] = board;
    if (laid_ % kBlock == 0) publish(laid_);
  }

  // Call when all are laid: scores, together with those hired, to the end.
  void finish(Search& search) {
    publish(boards_.size());
    work(search);
    for (std::future<void>& one : hired_) one.get();
  }

  // Of each board, in order; after `finish`.
  const std::vector<std::int64_t>& points() const { return points_; }

 private:
  // Boards that a thread takes at a time: some 100 µs of work.
  static constexpr std::size_t kBlock = 64;

  void publish(std::size_t laid) {
    ready_.store(laid, std::memory_order_release);
    ready_.notify_all();
  }

  void work(Search& search) {
    Board board;
    for (;;) {
      const std::size_t start = next_.fetch_add(kBlock);
      if (start >= boards_.size()) return;
      const std::size_t end = std::min(start + kBlock, boards_.size());
      for (std::size_t ready; (ready = ready_.load(std::memory_order_acquire)) < end;) {
        ready_.wait(ready, std::memory_order_acquire);
      }
      for (std::size_t at = start; at < end; ++at) {
        put(boards_[at], table_, board);
        points_[at] = search.score(board, worth_);
      }
    }
  }

  std::vector<Laid> boards_;
  std::vector<std::int64_t> points_;
  const Face* const table_;
  const Worth& worth_;
  std::size_t laid_ = 0;
  std::atomic<std::size_t> ready_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::vector<std::future<void>> hired_;
};

}  // namespace wordtray
