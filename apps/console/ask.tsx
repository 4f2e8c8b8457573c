// A question before something is done: a window with two answers.
import type { JSX } from 'preact';
import { useWindow } from './focus.ts';

type Question = {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
};

/** The window; Escape says no. */
export function Ask({ title, text, yes, no, onYes, onNo }: Question): JSX.Element {
  const dialog = useWindow();
  return (
    <dialog
      ref={dialog}
      aria-labelledby="question"
      aria-describedby="question-more"
      onCancel={(event) => {
        event.preventDefault();
        onNo();
      }}
    >
      <h2 id="question">{title}</h2>
      <p id="question-more">{text}</p>
      <div class="buttons">
        <button type="button" class="main" onClick={onYes}>
          {yes}
        </button>
        <button type="button" onClick={onNo}>
          {no}
        </button>
      </div>
    </dialog>
  );
}
