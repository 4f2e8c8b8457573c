// The logo of a repository at the head of a title page.
import { inflateSync } from 'node:zlib';
import type { Pages } from './pages.ts';
import { leftOf } from './pages.ts';

const mostWide = 220;
const mostHigh = 90;

// Unpacked, with what is made of it, this takes some hundred megabytes.
const mostPixels = 16_000_000;

/** What pdfkit knows of a PNG. */
type Png = {
  readonly width: number;
  readonly height: number;
  readonly imgData: Uint8Array;
  readonly interlaceMethod: number;
  readonly pixelBitlength: number;
  readonly hasAlphaChannel: boolean;
  readonly transparency: { readonly indexed?: unknown };
};

// Where the rows of an interlaced image begin, and how far they are apart: columns, rows, and both steps.
const interlacedPasses = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/**
 * Whether pdfkit can unpack an image, which it does for those with an alpha channel and those that are interlaced. It does so later, where what it throws ends the
 * thread: the same is gone through here. Throws where the image is not whole.
 */
function canBeUnpacked(png: Png): boolean {
  const { width, height, imgData, interlaceMethod, pixelBitlength } = png;
  if (!png.hasAlphaChannel && interlaceMethod !== 1 && png.transparency.indexed === undefined) return true;
  if (width * height > mostPixels) return false;
  // A row has at most eight bytes for a pixel, and one before them.
  const bytes = inflateSync(imgData, { maxOutputLength: 9 * mostPixels });
  let at = 0;
  for (const [left, top, across, down] of interlaceMethod === 1 ? interlacedPasses : ([[0, 0, 1, 1]] as const)) {
    const rowBytes = Math.ceil((pixelBitlength / 8) * Math.ceil((width - left) / across));
    const rows = Math.ceil((height - top) / down);
    // By the first byte of a row it is known what the others say; there are five ways.
    for (let row = 0; row < rows && at < bytes.length; row++, at += 1 + rowBytes)
      if ((bytes[at] ?? 0) > 4) return false;
  }
  return true;
}

/** Draws an image (PNG or JPEG) in the middle and moves `y` below it; false where it cannot be read. */
export function drawLogo(pages: Pages, bytes: Uint8Array): boolean {
  let image: { readonly width: number; readonly height: number; readonly image?: Png };
  try {
    image = pages.inner.openImage(Buffer.from(bytes)) as never;
    if (image.image !== undefined && !canBeUnpacked(image.image)) return false;
  } catch {
    return false;
  }
  const { width, height } = image;
  if (!(width > 0 && height > 0)) return false;
  const scale = Math.min(1, mostWide / width, mostHigh / height);
  const left = leftOf({ pieces: [], width: width * scale }, { left: 0, width: pages.width }, 'center');
  pages.tags.open('Figure', { Alt: new String('Logo') });
  pages.tags.content(
    () => void pages.inner.image(image as never, left, pages.y, { width: width * scale, height: height * scale }),
  );
  pages.tags.close();
  pages.y += height * scale + 12;
  return true;
}
