/** Longest text that a trajectory keeps whole, in UTF-16 units. */
export const TEXT_LIMIT = 64 * 1024;
/** All kept texts together; beyond it only the beginning of each text is kept. */
export const TEXTS_LIMIT = 8 * 1024 * 1024;
const SHORT_LIMIT = 512;

/** Bounds what a trajectory keeps of texts, whatever comes in. */
export interface Clipper {
  /** The text, or its beginning and its end with a mark of what was cut out. */
  clip(text: string): string;
  /** A JSON value, or `{clipped: <text>}` where it is too large. */
  clipValue(value: unknown): unknown;
  /** Texts of which a part was cut out. */
  readonly clipped: number;
}

/** Makes a clipper for one trajectory. */
export function makeClipper(): Clipper {
  let [kept, clipped] = [0, 0];
  const clip = (text: string): string => {
    const limit = kept < TEXTS_LIMIT ? TEXT_LIMIT : SHORT_LIMIT;
    if (text.length <= limit) {
      kept += text.length;
      return text;
    }
    clipped += 1;
    kept += limit;
    const head = Math.floor((limit * 3) / 4);
    const cut = `\n[${text.length - limit} characters left out]\n`;
    return whole(text.slice(0, head) + cut + text.slice(text.length - (limit - head)));
  };
  const clipValue = (value: unknown): unknown => {
    const text = JSON.stringify(value) ?? '';
    const shown = clip(text);
    return shown === text ? value : { clipped: shown };
  };
  return {
    clip,
    clipValue,
    get clipped() {
      return clipped;
    },
  };
}

/** A copy that holds no reference to the long text it was cut from, and no half of a surrogate pair. */
function whole(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
