/** How progress is shown: a bar on a terminal and a line now and then elsewhere, not at all, or in many lines. */
type ProgressChoice = 'auto' | 'none' | 'lines';

let chosen: ProgressChoice = 'auto';

/** Applies `--quiet` and `--verbose`. */
export function chooseProgress(choice: ProgressChoice): void {
  chosen = choice;
}

export function progressChoice(): ProgressChoice {
  return chosen;
}
