// Python's door to the native search; scoring/native_engine.py is the one that knocks.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "batch.h"
#include "board.h"
#include "path.h"
#include "search.h"
#include "trie.h"

namespace py = pybind11;

namespace wordtray {
namespace {

// What Python holds of one array of the trie: keeps it in place.
template <class T>
struct Array {
  explicit Array(const py::buffer& buffer) : info(buffer.request()) {
    if (info.itemsize != sizeof(T) || info.ndim != 1 || info.strides[0] != sizeof(T)) {
      throw py::type_error("not an array of a trie");
    }
  }
  const T* data() const { return static_cast<const T*>(info.ptr); }
  py::buffer_info info;
};

// The faces that boards have shown, each translated to the letters of the trie once.
class Faces {
 public:
  // `letters_of` tells which letters a face puts into a word, `bits` the bit of each letter.
  Faces(py::function letters_of, const py::dict& bits) : letters_of_(std::move(letters_of)) {
    for (const auto& [letter, bit] : bits) bits_[letter.cast<char32_t>()] = bit.cast<Letters>();
    table_.reserve(kMostFaces);
    clear();
  }

  // As long as one lives, numbers stay valid. Without any the table may be emptied, lest it grows
  // for ever.
  class Use {
   public:
    explicit Use(Faces& faces) : users_(faces.users_) {
      if (users_ == 0 && faces.table_.size() > kMostFaces / 2) faces.clear();
      ++users_;
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() { --users_; }

   private:
    unsigned& users_;
  };

  FaceNumber number(py::handle face) {
    const Py_UCS4 letter = single_letter(face.ptr());
    if (letter >= singles_.size()) return look_up(face);
    if (!singles_[letter]) singles_[letter] = look_up(face);
    return singles_[letter];
  }

  // By number; does not move while faces are added.
  const Face* table() const { return table_.data(); }
  const std::u32string& text(FaceNumber number) const { return texts_[number]; }

 private:
  static constexpr std::size_t kMostFaces = 65535;  // numbers of two bytes
  static constexpr Py_UCS4 kNoLetter = ~Py_UCS4{0};

  // Most faces are a letter, and found by it sooner than in a dictionary.
  static Py_UCS4 single_letter(PyObject* face) {
    const bool single = PyUnicode_Check(face) && PyUnicode_GET_LENGTH(face) == 1;
    return single ? PyUnicode_READ_CHAR(face, 0) : kNoLetter;
  }

  FaceNumber look_up(py::handle face) {
    if (PyObject* const known = PyDict_GetItemWithError(numbers_.ptr(), face.ptr())) {
      return static_cast<FaceNumber>(PyLong_AsLong(known));
    }
    if (PyErr_Occurred()) throw py::error_already_set();
    if (table_.size() == kMostFaces) throw std::length_error("too many different faces");
    const auto letters = letters_of_(face).cast<std::u32string>();
    const std::size_t number = table_.size();
    numbers_[face] = number;
    texts_.push_back(letters);
    table_.push_back(spell(letters));
    return static_cast<FaceNumber>(number);
  }

  // A face with a letter that no word has is as good as blank.
  Face spell(const std::u32string& letters) const {
    Face face;
    for (const char32_t letter : letters) {
      const auto known = bits_.find(letter);
      if (known == bits_.end()) return {};
      if (face.head) {
        face.tail.push_back(known->second);
      } else {
        face.head = known->second;
      }
    }
    return face;
  }

  void clear() {
    numbers_.clear();
    singles_ = {};
    table_.assign(1, Face{});  // number 0 is nobody's: it says "not yet known" in singles_
    texts_.assign(1, {});
  }

  py::function letters_of_;
  std::unordered_map<char32_t, Letters> bits_;
  py::dict numbers_;
  std::vector<Face> table_;
  std::vector<std::u32string> texts_;
  std::array<FaceNumber, 256> singles_{};  // numbers of the faces of one letter, by letter
  unsigned users_ = 0;
};

// A table of points by length, from Python, where None means too short. It is read again only when
// another table comes.
class WorthTable {
 public:
  const Worth& read(const py::tuple& table) {
    if (!table.is(table_)) {
      Worth::Points points;
      for (unsigned length = 0; length <= kLongestWord; ++length) {
        const py::object entry = table[length];
        points[length] = entry.is_none() ? Worth::kTooShort : entry.cast<std::int32_t>();
      }
      worth_ = Worth(points);
      table_ = table;
    }
    return worth_;
  }

 private:
  py::object table_ = py::none();
  Worth worth_;
};

// The words of a solved board, made into Python objects when asked for.
class Solved {
 public:
  Solved(Found found, const Worth& worth, std::vector<std::u32string> texts)
      : found_(std::move(found)), worth_(worth), texts_(std::move(texts)) {
    for (const std::u32string& text : texts_) {
      for (const char32_t letter : text) narrow_ &= letter < 256;
    }
  }

  std::int64_t points() const { return found_.points; }
  std::size_t count() const { return found_.words.size(); }

  // A tuple of `type`, a named tuple of (word, points, path), best first. `cells` are the cells of
  // the board as paths have them.
  py::tuple words(const py::type& type, const py::tuple& cells) const {
    auto* const tuple = reinterpret_cast<PyTypeObject*>(type.ptr());
    if (!PyType_IsSubtype(tuple, &PyTuple_Type)) throw py::type_error("not a kind of tuple");
    if (cells.size() != texts_.size()) throw py::value_error("not the cells of this board");
    py::tuple all(count());
    std::size_t at = 0;
    for (const std::uint64_t order : best_first()) {
      const FoundWord& found = found_.words[order & ((1u << kPlaceWidth) - 1)];
      PyTuple_SET_ITEM(all.ptr(), at++, word(found, type, cells));
    }
    return all;
  }

 private:
  // The words' places in the lowest bits, sorted by rank, then by alphabet, which is the order of
  // the nodes.
  std::vector<std::uint64_t> best_first() const {
    std::vector<std::uint64_t> order;
    order.reserve(count());
    for (const FoundWord& found : found_.words) {
      order.push_back(std::uint64_t{worth_.rank[found.length]} << (kPlaceWidth + 32) |
                      std::uint64_t{found.node} << kPlaceWidth | order.size());
    }
    std::sort(order.begin(), order.end());
    return order;
  }

  // A new reference, made with Python's own functions: this is most of the time of a solution.
  PyObject* word(const FoundWord& word, const py::type& type, const py::tuple& cells) const {
    auto path = own(PyTuple_New(word.cubes));
    for (unsigned step = 0; step < word.cubes; ++step) {
      const unsigned cell = found_.cells[word.path + step];
      PyTuple_SET_ITEM(path.ptr(), step, Py_NewRef(PyTuple_GET_ITEM(cells.ptr(), cell)));
    }
    auto letters = own(narrow_ ? spell<Py_UCS1>(word) : spell<Py_UCS4>(word));
    auto points = own(PyLong_FromLong(worth_.points[word.length]));
    auto* const tuple = reinterpret_cast<PyTypeObject*>(type.ptr());
    auto made = own(tuple->tp_alloc(tuple, 3));
    PyTuple_SET_ITEM(made.ptr(), 0, letters.release().ptr());
    PyTuple_SET_ITEM(made.ptr(), 1, points.release().ptr());
    PyTuple_SET_ITEM(made.ptr(), 2, path.release().ptr());
    return made.release().ptr();
  }

  // A new reference; letters of one byte, as most are, take Python no second look.
  template <class Letter>
  PyObject* spell(const FoundWord& word) const {
    Letter text[kLongestWord];
    std::size_t length = 0;
    for (unsigned step = 0; step < word.cubes; ++step) {
      for (const char32_t letter : texts_[found_.cells[word.path + step]]) {
        text[length++] = static_cast<Letter>(letter);
      }
    }
    return PyUnicode_FromKindAndData(sizeof(Letter), text, length);
  }

  static py::object own(PyObject* object) {
    if (!object) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(object);
  }

  static constexpr unsigned kPlaceWidth = 25;  // more words than a board's states could end

  Found found_;
  Worth worth_;
  std::vector<std::u32string> texts_;  // the letters of each cell
  bool narrow_ = true;                 // all of them of one byte
};

class Engine {
 public:
  Engine(const py::buffer& masks, const py::buffer& firsts, py::function letters_of,
         const py::dict& bits, std::string kernel)
      : masks_(masks),
        firsts_(firsts),
        trie_(masks_.data(), firsts_.data(), checked_nodes()),
        faces_(std::move(letters_of), bits),
        letters_(static_cast<unsigned>(bits.size())),
        most_cells_(Layout::most_cells(trie_.nodes)),
        kernel_(std::move(kernel)) {
    const auto names = kernels();
    if (std::find(names.begin(), names.end(), kernel_) == names.end()) {
      throw py::value_error("no such kernel here");
    }
  }

  // Cells of the largest board that it can solve.
  unsigned most_cells() const { return most_cells_; }

  // Nothing where the board is larger than that.
  std::optional<Solved> solve(const py::tuple& rows, const py::tuple& table) {
    if (rows.size() * py::len(rows[0]) > most_cells_) return {};
    const Worth worth = worth_.read(table);  // a copy: looking up faces lets other threads in
    const Faces::Use use(faces_);
    const Laid laid = lay(rows);
    std::vector<std::u32string> texts;
    for (unsigned cell = 0; cell < unsigned{laid.rows} * laid.cols; ++cell) {
      texts.push_back(faces_.text(laid.faces[cell]));
    }
    put(laid, faces_.table(), board_);
    const Lease search(*this);
    return Solved(search->words(board_, worth), worth, std::move(texts));
  }

  // Points of each board of a list, each a tuple of rows of faces.
  std::vector<std::int64_t> scores(const py::list& boards, const py::tuple& table,
                                   unsigned threads) {
    return run(boards.size(), table, threads, [&](Batch& batch) {
      for (const py::handle rows : boards) batch.lay(lay(rows));
    });
  }

  // Points of boards given as numbers of faces: a byte a cell, row by row, board by board.
  std::vector<std::int64_t> roll_scores(const py::list& faces, const py::buffer& numbers,
                                        unsigned rows, unsigned cols, const py::tuple& table,
                                        unsigned threads) {
    const Faces::Use use(faces_);  // before the first number: a later one may empty the table
    const py::buffer_info cells = numbers.request();
    check_size(rows, cols);
    if (cells.itemsize != 1 || cells.size % (rows * cols)) throw py::type_error("not whole boards");
    std::vector<FaceNumber> known;
    for (const py::handle face : faces) known.push_back(faces_.number(face));
    const auto* cell = static_cast<const std::uint8_t*>(cells.ptr);
    return run(cells.size / (rows * cols), table, threads, [&](Batch& batch) {
      for (const auto* const end = cell + cells.size; cell < end;) {
        Laid laid{static_cast<std::uint8_t>(rows), static_cast<std::uint8_t>(cols), {}};
        for (unsigned at = 0; at < rows * cols; ++at) laid.faces[at] = known.at(*cell++);
        batch.lay(laid);
      }
    });
  }

 private:
  // A search of its own for as long as it lives; kept for the next, because its marks take long to
  // make. Taken and returned while Python is held.
  class Lease {
   public:
    explicit Lease(Engine& engine) : idle_(engine.idle_) {
      if (idle_.empty()) {
        search_ = make_search(engine.trie_, engine.letters_, engine.kernel_);
      } else {
        search_ = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() { idle_.push_back(std::move(search_)); }
    Search* operator->() const { return search_.get(); }
    Search& operator*() const { return *search_; }

   private:
    std::vector<std::unique_ptr<Search>>& idle_;
    std::unique_ptr<Search> search_;
  };

  // Scores a batch that `lay_all` lays.
  template <class LayAll>
  std::vector<std::int64_t> run(std::size_t size, const py::tuple& table, unsigned threads,
                                LayAll lay_all) {
    const Worth worth = worth_.read(table);
    const Faces::Use use(faces_);
    const Lease own(*this);
    std::deque<Lease> others;
    Batch batch(size, faces_.table(), worth);
    // A few boards are scored sooner than a thread has started.
    for (unsigned other = 1; other < threads && other * kFewBoards < size; ++other) {
      batch.hire(*others.emplace_back(*this));
    }
    lay_all(batch);
    {
      const py::gil_scoped_release others_may_use_python;
      batch.finish(*own);
    }
    return batch.points();
  }

  Laid lay(py::handle rows) {
    const auto all = rows.cast<py::tuple>();
    const std::size_t cols = py::len(all[0]);
    check_size(all.size(), cols);
    Laid laid{static_cast<std::uint8_t>(all.size()), static_cast<std::uint8_t>(cols), {}};
    FaceNumber* number = laid.faces;
    for (const py::handle row : all) {
      const auto faces = row.cast<py::tuple>();
      if (faces.size() != cols) throw py::value_error("the rows are not equally long");
      for (const py::handle face : faces) *number++ = faces_.number(face);
    }
    return laid;
  }

  void check_size(std::size_t rows, std::size_t cols) const {
    if (rows < 1 || cols < 1 || rows * cols > most_cells_) {
      throw py::value_error("a board of no size that the native search knows");
    }
  }

  Node checked_nodes() const {
    const auto nodes = masks_.info.size;
    if (nodes != firsts_.info.size || nodes < 1 || nodes > std::numeric_limits<Node>::max()) {
      throw py::value_error("a trie of no size that the native search knows");
    }
    return static_cast<Node>(nodes);
  }

  static constexpr std::size_t kFewBoards = 256;

  Array<Letters> masks_;
  Array<Node> firsts_;
  Trie trie_;
  Faces faces_;
  unsigned letters_;
  unsigned most_cells_;
  std::string kernel_;
  WorthTable worth_;
  Board board_;
  std::vector<std::unique_ptr<Search>> idle_;
};

py::object find_path(const py::tuple& faces, unsigned cols, const std::u32string& word) {
  if (faces.size() > kMostCells || cols == 0) throw py::value_error("a board of no known size");
  PathFinder finder(faces.cast<std::vector<std::u32string>>(), cols, word, [] {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  });
  const std::vector<std::uint8_t> path = finder.find();
  if (path.empty()) return py::none();
  py::tuple cells(path.size());
  for (std::size_t step = 0; step < path.size(); ++step) cells[step] = path[step];
  return cells;
}

std::vector<std::string> kernel_names() {
  const auto names = kernels();
  return {names.begin(), names.end()};
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  module.doc() = "The search in C++; see scoring.native_engine.";
  module.attr("MOST_CELLS") = kMostCells;
  // Python's own error, so that both engines raise the same.
  static PyObject* const search_error =
      py::object(py::module_::import("scoring.solution").attr("SearchError")).release().ptr();
  py::register_exception_translator([](std::exception_ptr failure) {
    try {
      if (failure) std::rethrow_exception(failure);
    } catch (const TooManyWays& error) {
      PyErr_SetString(search_error, error.what());
    }
  });
  module.def("kernels", &kernel_names);
  module.def("find_path", &find_path);
  py::class_<Solved>(module, "Solved")
      .def_property_readonly("points", &Solved::points)
      .def_property_readonly("count", &Solved::count)
      .def("words", &Solved::words);
  py::class_<Engine>(module, "Engine")
      .def(py::init<py::buffer, py::buffer, py::function, py::dict, std::string>())
      .def_property_readonly("most_cells", &Engine::most_cells)
      .def("solve", &Engine::solve)
      .def("scores", &Engine::scores)
      .def("roll_scores", &Engine::roll_scores);
}

}  // namespace wordtray
