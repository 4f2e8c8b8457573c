// When a delivery that failed is tried again, and how long those behind it wait.

/** Attempts before a delivery is given up: with the pauses below, some 17 hours. */
export const mostAttempts = 12;

/** How long a delivery waits, in days, behind others of a receiver that takes nothing in that time; then it is given up untried. */
export const longestWaitDays = 7;

/** The pause after a failed attempt (1, 2, …), in milliseconds: 5 s, 15 s, 45 s … and at most 4 hours. */
export function pauseAfter(attempt: number): number {
  return Math.min(4 * 3_600_000, 5_000 * 3 ** Math.min(attempt - 1, 20));
}
