/**
 * A share as every place tells it, in thousandths: what is not quite whole is never told as 100 %, and no two places round
 * it in two ways. The tiny addend makes up for what a double lacks: 0.29 × 1000 is 289.99….
 */
export function flooredShare(share: number): number {
  return Math.floor(share * 1000 + 1e-9) / 1000;
}
