/** Tells whether a whole text fits a pattern in which `*` stands for any run of characters and `?` for exactly one. */
export function matchesGlob(pattern: string, text: string): boolean {
  let inPattern = 0;
  let inText = 0;
  let star = -1;
  let resumeAt = 0;
  while (inText < text.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern++;
      resumeAt = inText;
    } else if (pattern[inPattern] === '?' || pattern[inPattern] === text[inText]) {
      inPattern++;
      inText++;
    } else if (star >= 0) {
      // Only the last star ever has to give back: at most pattern x text steps, whatever the pattern.
      inPattern = star + 1;
      inText = ++resumeAt;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}
