import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { coloured, coloursOf, none, rest } from '../../../src/console/charts/colours.ts';

const style = readFileSync(new URL('../../../src/console/style.css', import.meta.url), 'utf8');

/** Matrices of Machado, Oliveira and Fernandes (2009) for complete colour blindness, applied to linear RGB. */
const sights = {
  common: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const;

type Triple = readonly [number, number, number];

function linear(hex: string): Triple {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

function seen([r, g, b]: Triple, m: readonly number[]): Triple {
  const row = (at: number) => Math.min(1, Math.max(0, (m[at] ?? 0) * r + (m[at + 1] ?? 0) * g + (m[at + 2] ?? 0) * b));
  return [row(0), row(3), row(6)];
}

/** CIELAB, D65. */
function lab([r, g, b]: Triple): Triple {
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** CIE76. */
function distance(one: Triple, other: Triple): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

describe('chart colours', () => {
  it.each(['light', 'dark'].flatMap((theme) => Object.keys(sights).map((sight) => [theme, sight] as const)))(
    'differ clearly in the %s theme with %s',
    (theme, sight) => {
      const [, block = ''] = new RegExp(`color-scheme='${theme}'\\] \\{([^}]*)\\}`).exec(style) ?? [];
      const colours = [...block.matchAll(/--chart-(?:\d|rest|none): (#\w{6})/g)].map(([, hex = '']) => hex);
      expect(colours).toHaveLength(10);
      const matrix = sights[sight as keyof typeof sights];
      const places = colours.map((hex) => lab(seen(linear(hex), matrix)));
      const distances = places.flatMap((one, at) => places.slice(at + 1).map((other) => distance(one, other)));
      // 2.3 is just noticeable.
      expect(Math.min(...distances)).toBeGreaterThan(15);
    },
  );

  it('are the same for a name whatever its rank, and different within a chart', () => {
    const names = ['Amazon EC2', 'BigQuery', 'Azure OpenAI', 'Virtual Machines', 'Amazon S3', 'Compute Engine'];
    const colours = coloursOf(names);
    expect(new Set(colours).size).toBe(coloured);
    const turned = coloursOf(names.toReversed());
    expect(turned.toReversed()).toEqual(colours);
    expect(coloursOf([...names, 'Cloud Storage']).at(-1)).toBe(rest);
    expect(coloursOf(['BigQuery'])).toEqual(coloursOf(['BigQuery']));
  });

  it('are neutral for charges without a value, which take no colour from a name', () => {
    const names = ['platform', null, 'data', 'payments'];
    expect(coloursOf(names).filter((_, index) => index !== 1)).toEqual(coloursOf(['platform', 'data', 'payments']));
    expect(coloursOf(names)[1]).toBe(none);
  });

  it('rarely change when another name joins a chart', () => {
    const names = Array.from({ length: 200 }, (_, index) => `Service ${index}`);
    let kept = 0;
    for (let at = 0; at + 6 <= names.length; at += 5) {
      const five = names.slice(at, at + 5);
      const with6 = coloursOf(names.slice(at, at + 6));
      kept += coloursOf(five).filter((colour, index) => colour === with6[index]).length;
    }
    expect(kept / 195).toBeGreaterThan(0.75);
  });
});
