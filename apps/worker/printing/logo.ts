// The logo of a repository at the head of a title page.
import type { Pages } from './pages.ts';
import { leftOf } from './pages.ts';

const mostWide = 220;
const mostHigh = 90;

/** Draws an image (PNG or JPEG) in the middle and moves `y` below it; false where it cannot be read. */
export function drawLogo(pages: Pages, bytes: Uint8Array): boolean {
  let image: { readonly width: number; readonly height: number };
  try {
    image = pages.inner.openImage(Buffer.from(bytes)) as never;
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
