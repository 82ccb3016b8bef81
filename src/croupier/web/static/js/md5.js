// MD5 (RFC 1321) for the name hasher, so that a name never leaves the browser. Not for security.

const SHIFTS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
];
const SINES = Array.from(
  { length: 64 },
  (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) >>> 0,
);

/** The four rounds differ in how they mix three words and in the order of the block's words. */
const ROUNDS = [
  { mix: (b, c, d) => (b & c) | (~b & d), pick: (i) => i },
  { mix: (b, c, d) => (d & b) | (~d & c), pick: (i) => (5 * i + 1) % 16 },
  { mix: (b, c, d) => b ^ c ^ d, pick: (i) => (3 * i + 5) % 16 },
  { mix: (b, c, d) => c ^ (b | ~d), pick: (i) => (7 * i) % 16 },
];

/** Pad a message to blocks of 64 bytes: a one bit, zeros, and its length in bits as 64 bits. */
function padded(bytes) {
  const size = Math.ceil((bytes.length + 9) / 64) * 64;
  const block = new Uint8Array(size);
  block.set(bytes);
  block[bytes.length] = 0x80;
  const view = new DataView(block.buffer);
  view.setUint32(size - 8, (bytes.length * 8) >>> 0, true);
  view.setUint32(size - 4, Math.floor(bytes.length / 2 ** 29), true);
  return view;
}

function turned(word, by) {
  return (word << by) | (word >>> (32 - by));
}

/** The digest of bytes, as 32 hexadecimal digits. */
function md5Bytes(bytes) {
  const view = padded(bytes);
  const state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]);
  for (let start = 0; start < view.byteLength; start += 64) {
    let [a, b, c, d] = state;
    for (let i = 0; i < 64; i += 1) {
      const { mix, pick } = ROUNDS[i >> 4];
      const word = view.getInt32(start + 4 * pick(i), true);
      const sum = (a + mix(b, c, d) + SINES[i] + word) | 0;
      [a, b, c, d] = [d, (b + turned(sum, SHIFTS[i >> 4][i % 4])) | 0, b, c];
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
  }
  return [...new Uint8Array(state.buffer)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** The digest of a text in UTF-8. */
export function md5(text) {
  return md5Bytes(new TextEncoder().encode(text));
}
