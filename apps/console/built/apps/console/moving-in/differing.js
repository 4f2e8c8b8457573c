export function differing(source, here) {
    const shorter = Math.min(source.length, here.length);
    let start = 0;
    while (start < shorter && source[start] === here[start])
        start++;
    while (start > 0 && (continues(source, start) || continues(here, start)))
        start--;
    let end = 0;
    while (end < shorter - start && source.at(-1 - end) === here.at(-1 - end))
        end++;
    while (end > 0 && (continues(source, source.length - end) || continues(here, here.length - end)))
        end--;
    return {
        before: source.slice(0, start),
        source: source.slice(start, source.length - end),
        here: here.slice(start, here.length - end),
        after: source.slice(source.length - end),
    };
}
const continues = (text, at) => /^[\p{M}\u200d\udc00-\udfff]/u.test(text.charAt(at));
