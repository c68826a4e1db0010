// The yardstick of the solver benchmark: a plain recursive search over a trie of pointers, the form
// of the fastest published solvers. It keeps the score alone.
//
//   baseline WORDS BOARDS ROWS COLUMNS POINTS
//
// WORDS is a file with a word a line, small letters a to z. BOARDS is a file with a board a line: a
// letter a cell, row by row, q for Qu, anything else for a face without a letter. POINTS are the
// points of words of 0, 1, 2 … letters, divided by commas; the last holds for all longer ones.
//
// Qu is one letter of the trie. So words with a q and no u behind it are left out: they cannot be
// spelt where every Q is a Qu. Points go by the letters of the word as written.
//
// Prints "ready"; then, for each line that it reads, solves all boards once and prints the
// nanoseconds of processor time per board and the sum of the points.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

constexpr int kLetters = 26;
constexpr std::uint8_t kNoLetter = 31;  // a bit that no node has among its children

struct Node {
  std::uint32_t letters = 0;  // a bit for each child
  std::uint32_t points = 0;   // of the word that ends here; 0 for none
  std::uint32_t mark = 0;     // the last board on which the word was found
  std::array<Node*, kLetters> children{};
};

class Trie {
 public:
  Node& Root() { return nodes_.front(); }

  void Add(const std::string& letters, std::uint32_t points) {
    Node* node = &Root();
    for (char letter : letters) {
      const int number = letter - 'a';
      node->letters |= 1u << number;
      if (!node->children[number]) node->children[number] = &nodes_.emplace_back();
      node = node->children[number];
    }
    node->points = points;
  }

 private:
  std::deque<Node> nodes_ = std::deque<Node>(1);  // grows without moving any
};

// The search from each cell to each neighbour is code of its own: the compiler knows which cells
// are neighbours, and no step looks for the edge of the board.
template <int Rows, int Columns>
class Search {
 public:
  static constexpr int kCells = Rows * Columns;
  using Board = std::array<std::uint8_t, kCells>;
  using Cells = std::conditional_t<kCells <= 32, std::uint32_t, std::uint64_t>;  // a bit a cell

  explicit Search(Trie& trie) : root_(trie.Root()) {}

  std::uint32_t Score(const Board& board) {
    letters_ = board;
    points_ = 0;
    ++number_;
    FromAnywhere(std::make_integer_sequence<int, kCells>());
    return points_;
  }

 private:
  template <int... Starts>
  void FromAnywhere(std::integer_sequence<int, Starts...>) {
    (Step<Starts>(root_), ...);
  }

  template <int Cell, int... Others>
  void FromCell(const Node& node, std::integer_sequence<int, Others...>) {
    (StepIfNeighbour<Cell, Others>(node), ...);
  }

  template <int Cell, int Other>
  void StepIfNeighbour(const Node& node) {
    constexpr int down = Other / Columns - Cell / Columns;
    constexpr int right = Other % Columns - Cell % Columns;
    if constexpr (Cell != Other && down * down <= 1 && right * right <= 1) Step<Other>(node);
  }

  template <int Cell>
  void Step(const Node& node) {
    if (used_ >> Cell & 1) return;
    if (node.letters >> letters_[Cell] & 1) Visit<Cell>(*node.children[letters_[Cell]]);
  }

  template <int Cell>
  void Visit(Node& node) {
    if (node.points && node.mark != number_) {
      node.mark = number_;
      points_ += node.points;
    }
    used_ ^= Cells{1} << Cell;
    FromCell<Cell>(node, std::make_integer_sequence<int, kCells>());
    used_ ^= Cells{1} << Cell;
  }

  Node& root_;
  Board letters_{};
  Cells used_ = 0;
  std::uint32_t points_ = 0;
  std::uint32_t number_ = 0;  // of the board: what words found on it are marked with
};

std::vector<std::string> ReadLines(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<std::uint32_t> ReadPoints(const std::string& text) {
  std::vector<std::uint32_t> points;
  std::istringstream stream(text);
  for (std::string number; std::getline(stream, number, ',');) points.push_back(std::stoul(number));
  return points;
}

// The word with q for each qu; empty where a q has no u behind it.
std::string Folded(const std::string& word) {
  std::string folded;
  for (std::size_t i = 0; i < word.size(); ++i) {
    folded += word[i];
    if (word[i] == 'q' && word[++i] != 'u') return {};  // a string ends in a zero
  }
  return folded;
}

Trie ReadTrie(const char* path, const std::vector<std::uint32_t>& points) {
  Trie trie;
  for (const std::string& word : ReadLines(path)) {
    const std::string folded = Folded(word);
    if (!folded.empty()) trie.Add(folded, points[std::min(word.size(), points.size() - 1)]);
  }
  return trie;
}

template <int Rows, int Columns>
std::vector<typename Search<Rows, Columns>::Board> ReadBoards(const char* path) {
  std::vector<typename Search<Rows, Columns>::Board> boards;
  for (const std::string& line : ReadLines(path)) {
    if (line.size() != Rows * Columns) throw std::runtime_error("a board of another size: " + line);
    auto& board = boards.emplace_back();
    for (std::size_t cell = 0; cell < line.size(); ++cell) {
      const bool letter = 'a' <= line[cell] && line[cell] <= 'z';
      board[cell] = letter ? line[cell] - 'a' : kNoLetter;
    }
  }
  return boards;
}

// Time that the processor spent on this process: what other programs take does not count.
double ProcessorNanoseconds() {
  std::timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e9 * time.tv_sec + time.tv_nsec;
}

template <int Rows, int Columns>
void Serve(Trie trie, const char* path) {
  const auto boards = ReadBoards<Rows, Columns>(path);
  Search<Rows, Columns> search(trie);
  std::cout << "ready" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    std::uint64_t sum = 0;
    const double start = ProcessorNanoseconds();
    for (const auto& board : boards) sum += search.Score(board);
    const double end = ProcessorNanoseconds();
    std::cout << (end - start) / boards.size() << ' ' << sum << std::endl;
  }
}

void Run(char** arguments) {
  Trie trie = ReadTrie(arguments[1], ReadPoints(arguments[5]));
  const std::string size = std::string(arguments[3]) + "x" + arguments[4];
  if (size == "4x4") return Serve<4, 4>(std::move(trie), arguments[2]);
  if (size == "5x5") return Serve<5, 5>(std::move(trie), arguments[2]);
  if (size == "6x6") return Serve<6, 6>(std::move(trie), arguments[2]);
  throw std::runtime_error("no search is compiled for " + size);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 6) {
    std::cerr << "usage: baseline WORDS BOARDS ROWS COLUMNS POINTS\n";
    return EXIT_FAILURE;
  }
  try {
    Run(arguments);
  } catch (const std::exception& error) {
    std::cerr << "baseline: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
