// The two inner loops of the search, in one form for any processor and in two for vector units.
//
// Every kernel has the same two functions:
//
//   visit   looks at the node of each state: notes the states where a word ends, and keeps those
//           that some neighbouring letter leads on from, with the letters that follow.
//   expand  takes each kept state to its neighbours: those whose letter follows and whose cell is
//           unused become the next frontier.
//
// No loop branches on what it finds, since nobody could predict it: a result is always written, and
// the place to write moves on by one or not at all. The vector forms do the same to eight (four)
// results at once: they pack those that stand together and write them all, wanted or not. Hence
// every array has `kLanes` spare places at its end. They work on copies of the arrays' addresses,
// because a compiler must take a vector store for one that may change any address it knows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "board.h"
#include "trie.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace wordtray {

using Index = std::uint32_t;

// Parallel arrays; `parents` is used where paths are wanted: the kept state a state came from.
struct Frontier {
  State* states;
  Index* parents;
  std::size_t size;
};

// Kept states, with the letters that follow their nodes.
struct Kept {
  State* states;
  Letters* follow;
  Index* parents;
  std::size_t size;
};

// Tries of so few letters allow a shorter test: all letter bits lie below the bits of used cells.
constexpr unsigned kFewLetters = Layout(kMostCells).used_shift - 1;

template <bool kPaths>
[[gnu::always_inline]] inline void visit_each(const Trie& trie, const Board& board,
                                              const Frontier& frontier, Kept& kept,
                                              Frontier& ends) {
  const Layout layout = board.layout();
  const Letters* const around = board.around();
  std::size_t keep = kept.size, end = ends.size;
  for (std::size_t at = 0; at < frontier.size; ++at) {
    const State state = frontier.states[at];
    const Letters mask = trie.masks[layout.node_of(state)];
    ends.states[end] = state;
    kept.states[keep] = state;
    kept.follow[keep] = mask & ~kWordEnd;
    if constexpr (kPaths) ends.parents[end] = kept.parents[keep] = frontier.parents[at];
    end += mask & kWordEnd;
    keep += (mask & around[layout.cell_of(state)]) != 0;
  }
  kept.size = keep;
  ends.size = end;
}

template <bool kPaths, bool kFew>
[[gnu::always_inline]] inline void expand_each(const Trie& trie, const Board& board,
                                               const Kept& kept, std::size_t from, Frontier& next) {
  const Layout layout = board.layout();
  std::size_t out = 0;
  for (std::size_t at = from; at < kept.size; ++at) {
    const State state = kept.states[at];
    const Letters follow = kept.follow[at];
    const State used = state & layout.used_bits();
    const State base = used + trie.firsts[layout.node_of(state)];
    const unsigned cell = layout.cell_of(state);
    const Letters *const letter = board.letter(cell), *const lower = board.lower_letters(cell);
    const State* const arrive = board.arrive(cell);
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      next.states[out] = base + arrive[lane] + count(follow & lower[lane]);
      if constexpr (kPaths) next.parents[out] = static_cast<Index>(at);
      // "The letter follows and the cell is free" in one comparison: an unused cell leaves 0 on the
      // right, a used one a bit above all that the left can have.
      const Letters there = follow & letter[lane];
      out += (kFew ? there : Letters{there != 0}) > (used & arrive[lane]);
    }
  }
  next.size = out;
}

// Any processor. On ARM the compiler counts bits with NEON by itself.
template <bool kFew>
struct Portable {
  template <bool kPaths>
  static void visit(const Trie& trie, const Board& board, const Frontier& frontier, Kept& kept,
                    Frontier& ends) {
    visit_each<kPaths>(trie, board, frontier, kept, ends);
  }

  template <bool kPaths>
  static void expand(const Trie& trie, const Board& board, const Kept& kept, std::size_t from,
                     Frontier& next) {
    expand_each<kPaths, kFew>(trie, board, kept, from, next);
  }
};

#if defined(__x86_64__)

// The same for x86 with the instruction that counts bits, as all have since 2008: the plain
// instruction set, which Python extensions are built for, is without.
template <bool kFew>
struct PortablePopcnt {
  template <bool kPaths>
  [[gnu::target("popcnt")]] static void visit(const Trie& trie, const Board& board,
                                              const Frontier& frontier, Kept& kept,
                                              Frontier& ends) {
    visit_each<kPaths>(trie, board, frontier, kept, ends);
  }

  template <bool kPaths>
  [[gnu::target("popcnt")]] static void expand(const Trie& trie, const Board& board,
                                               const Kept& kept, std::size_t from, Frontier& next) {
    expand_each<kPaths, kFew>(trie, board, kept, from, next);
  }
};

#define WORDTRAY_AVX2 gnu::target("avx2,popcnt,bmi,bmi2")

// For each choice of four lanes the 32-bit places that move the chosen to the front.
struct Packing {
  constexpr Packing() {
    for (unsigned chosen = 0; chosen < 16; ++chosen) {
      unsigned to = 0;
      for (unsigned lane = 0; lane < 4; ++lane) {
        if (chosen >> lane & 1) {
          places[chosen][to++] = 2 * lane;
          places[chosen][to++] = 2 * lane + 1;
        }
      }
    }
  }
  alignas(32) std::uint32_t places[16][8] = {};
};
inline constexpr Packing kPacking;

struct Avx2 {
  // Gathering four masks at a time is no faster than loading them one by one.
  template <bool kPaths>
  [[WORDTRAY_AVX2]] static void visit(const Trie& trie, const Board& board,
                                      const Frontier& frontier, Kept& kept, Frontier& ends) {
    visit_each<kPaths>(trie, board, frontier, kept, ends);
  }

  template <bool kPaths>
  [[WORDTRAY_AVX2]] static void expand(const Trie& trie, const Board& board, const Kept& kept,
                                       std::size_t from, Frontier& next) {
    const Kept source = kept;  // copies: see above
    const Frontier target = next;
    const Node* const firsts = trie.firsts;
    const Layout layout = board.layout();
    std::size_t out = 0;
    for (std::size_t at = from; at < source.size; ++at) {
      const State state = source.states[at];
      const unsigned cell = layout.cell_of(state);
      const State used = state & layout.used_bits();
      const __m256i follow = _mm256_set1_epi64x(source.follow[at]);
      const __m256i taken = _mm256_set1_epi64x(used);
      const __m256i base = _mm256_set1_epi64x(used + firsts[layout.node_of(state)]);
#pragma GCC unroll 2
      for (unsigned half = 0; half < kLanes; half += 4) {
        const __m256i arrive = load(board.arrive(cell) + half);
        const __m256i missing = is_zero(_mm256_and_si256(follow, load(board.letter(cell) + half)));
        const __m256i free = is_zero(_mm256_and_si256(taken, arrive));
        const unsigned chosen =
            _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_andnot_si256(missing, free)));
        const __m256i before = _mm256_and_si256(follow, load(board.lower_letters(cell) + half));
        const __m256i states = _mm256_add_epi64(_mm256_add_epi64(base, arrive), counts(before));
        const __m256i packed = _mm256_permutevar8x32_epi32(states, load(kPacking.places[chosen]));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(target.states + out), packed);
        if constexpr (kPaths) {
          _mm_storeu_si128(reinterpret_cast<__m128i*>(target.parents + out),
                           _mm_set1_epi32(static_cast<int>(at)));
        }
        out += count(chosen);
      }
    }
    next.size = out;
  }

 private:
  template <class T>
  [[WORDTRAY_AVX2, gnu::always_inline]] static __m256i load(const T* from) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
  }

  [[WORDTRAY_AVX2, gnu::always_inline]] static __m256i is_zero(__m256i values) {
    return _mm256_cmpeq_epi64(values, _mm256_setzero_si256());
  }

  // The bits of each of four numbers, counted by a table of half bytes.
  [[WORDTRAY_AVX2, gnu::always_inline]] static __m256i counts(__m256i values) {
    const __m256i bits = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                                          2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i half = _mm256_set1_epi8(15);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(values, 4), half);
    const __m256i sums = _mm256_add_epi8(_mm256_shuffle_epi8(bits, _mm256_and_si256(values, half)),
                                         _mm256_shuffle_epi8(bits, high));
    return _mm256_sad_epu8(sums, _mm256_setzero_si256());
  }
};

#define WORDTRAY_AVX512 \
  gnu::target("avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,popcnt,bmi,bmi2")

struct Avx512 {
  template <bool kPaths>
  [[WORDTRAY_AVX512]] static void visit(const Trie& trie, const Board& board,
                                        const Frontier& frontier, Kept& kept, Frontier& ends) {
    const __m512i word_end = _mm512_set1_epi64(kWordEnd);
    const __m512i node_bits = _mm512_set1_epi64(board.layout().node_bits());
    const __m512i cell_bits = _mm512_set1_epi64(Layout::kCellBits);
    const __m128i cell_shift = _mm_cvtsi32_si128(board.layout().cell_shift);
    const Frontier source = frontier, ending = ends;  // copies: see above
    const Kept keeping = kept;
    const Letters *const all_masks = trie.masks, *const all_around = board.around();
    std::size_t keep = kept.size, end = ends.size;
    for (std::size_t at = 0; at < source.size; at += kLanes) {
      const std::size_t left = source.size - at;
      const __mmask8 there = left < kLanes ? (1u << left) - 1 : 0xff;
      const __m512i states = _mm512_maskz_loadu_epi64(there, source.states + at);
      const __m512i nodes = _mm512_and_si512(states, node_bits);
      const __m512i cells = _mm512_and_si512(_mm512_srl_epi64(states, cell_shift), cell_bits);
      const __m512i masks =
          _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), there, nodes, all_masks, 8);
      const __m512i around =
          _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), there, cells, all_around, 8);
      const __mmask8 leads_on = _mm512_test_epi64_mask(masks, around);
      const __mmask8 ends_here = _mm512_test_epi64_mask(masks, word_end);
      const __m512i follow = _mm512_andnot_si512(word_end, masks);
      _mm512_storeu_si512(keeping.states + keep, _mm512_maskz_compress_epi64(leads_on, states));
      _mm512_storeu_si512(keeping.follow + keep, _mm512_maskz_compress_epi64(leads_on, follow));
      _mm512_storeu_si512(ending.states + end, _mm512_maskz_compress_epi64(ends_here, states));
      if constexpr (kPaths) {
        const __m256i parents = _mm256_maskz_loadu_epi32(there, source.parents + at);
        store(keeping.parents + keep, _mm256_maskz_compress_epi32(leads_on, parents));
        store(ending.parents + end, _mm256_maskz_compress_epi32(ends_here, parents));
      }
      keep += count(leads_on);
      end += count(ends_here);
    }
    kept.size = keep;
    ends.size = end;
  }

  template <bool kPaths>
  [[WORDTRAY_AVX512]] static void expand(const Trie& trie, const Board& board, const Kept& kept,
                                         std::size_t from, Frontier& next) {
    const Kept source = kept;  // copies: see above
    const Frontier target = next;
    const Node* const firsts = trie.firsts;
    const Layout layout = board.layout();
    std::size_t out = 0;
    for (std::size_t at = from; at < source.size; ++at) {
      const State state = source.states[at];
      const unsigned cell = layout.cell_of(state);
      const State used = state & layout.used_bits();
      const __m512i follow = _mm512_set1_epi64(source.follow[at]);
      const __m512i base = _mm512_set1_epi64(used + firsts[layout.node_of(state)]);
      const __m512i arrive = _mm512_load_si512(board.arrive(cell));
      const __mmask8 follows =
          _mm512_test_epi64_mask(follow, _mm512_load_si512(board.letter(cell)));
      const __mmask8 chosen =
          _mm512_mask_testn_epi64_mask(follows, _mm512_set1_epi64(used), arrive);
      const __m512i before = _mm512_and_si512(follow, _mm512_load_si512(board.lower_letters(cell)));
      const __m512i states =
          _mm512_add_epi64(_mm512_add_epi64(base, arrive), _mm512_popcnt_epi64(before));
      _mm512_storeu_si512(target.states + out, _mm512_maskz_compress_epi64(chosen, states));
      if constexpr (kPaths) store(target.parents + out, _mm256_set1_epi32(static_cast<int>(at)));
      out += count(chosen);
    }
    next.size = out;
  }

 private:
  [[WORDTRAY_AVX512, gnu::always_inline]] static void store(Index* to, __m256i values) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), values);
  }
};

#endif  // __x86_64__

}  // namespace wordtray
