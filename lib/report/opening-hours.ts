/** So few opening hours are none: a timer may be late. The questions of docs/read have the same number. */
export const NO_HOURS = 0.25;
