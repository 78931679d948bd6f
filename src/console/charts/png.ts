import { save } from '../parts/list/csv.tsx';
import type { LegendItem } from './legend.tsx';

const scale = 2;
/** Padding of the image and height of a text line, in px before scaling. */
const pad = 16;
const line = 18;
const drawn = ['fill', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'opacity', 'font', 'font-size'];

interface Picture {
  readonly svg: SVGSVGElement;
  readonly title: string;
  /** Smaller text below the title, such as the cost metric and the filters. */
  readonly details: string;
  readonly legend: readonly (LegendItem & { readonly isLine?: boolean })[];
  /** File name without extension. */
  readonly name: string;
}

/** Saves a chart with its title and legend as a PNG in the colours of the theme, at twice its size. */
export async function savePng({ svg, title, details, legend, name }: Picture): Promise<void> {
  const { width, height } = svg.getBoundingClientRect();
  const image = await imageOf(svg);
  const canvas = document.createElement('canvas');
  const paint = canvas.getContext('2d');
  if (!paint) throw new Error('This browser cannot draw images');
  const font = `12px ${getComputedStyle(document.body).fontFamily}`;
  paint.font = font;
  const places = placed(legend, width, (text) => paint.measureText(text).width);
  const rows = (places.at(-1)?.row ?? -1) + 1;
  const texts = wrapped(details, width, (text) => paint.measureText(text).width);
  const top = pad + line * (texts.length + 1);
  canvas.width = (width + 2 * pad) * scale;
  canvas.height = (top + height + pad + line * (rows + 1)) * scale;
  paint.scale(scale, scale);
  paint.fillStyle = colour(svg, 'var(--surface)');
  paint.fillRect(0, 0, canvas.width, canvas.height);
  paint.fillStyle = colour(svg, 'var(--ink)');
  paint.font = `600 ${font}`;
  paint.fillText(title, pad, pad + 10);
  paint.drawImage(image, pad, top, width, height);
  paint.font = font;
  paint.fillStyle = colour(svg, 'var(--ink-soft)');
  for (const [index, text] of texts.entries()) paint.fillText(text, pad, pad + 10 + line * (index + 1));
  for (const { item, x, row } of places) {
    const y = top + height + line * (row + 1.5);
    paint.fillStyle = colour(svg, item.colour);
    paint.fillRect(pad + x, item.isLine ? y - 5 : y - 9, 9, item.isLine ? 2 : 9);
    paint.fillStyle = colour(svg, 'var(--ink-soft)');
    paint.fillText(item.label, pad + x + 14, y);
  }
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!file) throw new Error('The chart is too large');
  save(file, `${name}.png`);
}

/** Loads a chart as an image. An image has no style sheet, so each element gets its computed styles. */
async function imageOf(svg: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = svg.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new Error('The chart cannot be copied');
  const copies = [...copy.querySelectorAll('*')];
  for (const [index, element] of [...svg.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(element);
    for (const name of drawn) copies[index]?.setAttribute(name, style.getPropertyValue(name));
  }
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}

/** Value of a colour of the style sheet. */
function colour(within: Element, value: string): string {
  const name = /^var\((.*)\)$/.exec(value)?.[1];
  return name === undefined ? value : getComputedStyle(within).getPropertyValue(name);
}

/** Breaks a text into lines. */
function wrapped(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) > width) lines.push(word);
    else lines.splice(-1, 1, longer);
  }
  return lines;
}

/** Rows and horizontal places of legend entries. */
function placed<Item extends LegendItem>(items: readonly Item[], width: number, widthOf: (text: string) => number) {
  let x = 0;
  let row = 0;
  return items.map((item) => {
    const own = widthOf(item.label) + 30;
    if (x > 0 && x + own > width) {
      x = 0;
      row += 1;
    }
    const place = { item, x, row };
    x += own;
    return place;
  });
}
