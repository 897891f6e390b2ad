import type { JsonObject } from './json.js';

/** One question of a prompt. */
export interface Question extends JsonObject {
  readonly id: string;
  readonly options: readonly { readonly label: string }[];
  readonly selection: {
    readonly mode: 'single' | 'multiple';
    readonly minSelections?: number;
    readonly maxSelections?: number;
  };
}

/** The longest free text or note, in characters. */
const LONGEST_TEXT = 500;

/** What keeps answers from fitting a prompt's questions; undefined when they fit. */
export function answerProblem(
  questions: readonly Question[],
  answers: readonly JsonObject[],
  which: 'all' | 'some',
): string | undefined {
  const ids = answers.map(({ questionId }) => questionId);
  if (new Set(ids).size !== ids.length) return 'a question is answered twice';
  const missing = questions.find(({ id }) => !ids.includes(id));
  if (which === 'all' && missing) return `question ${missing.id} is not answered`;
  for (const answer of answers) {
    const question = questions.find(({ id }) => id === answer['questionId']);
    const problem = question ? problemOf(question, answer) : `there is no question ${answer['questionId']}`;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(question: Question, answer: JsonObject): string | undefined {
  const forms = ['selectedLabel', 'selectedLabels', 'freeText'].filter((form) => answer[form] !== undefined);
  if (forms.length !== 1)
    return `question ${question.id}: expected one of selectedLabel, selectedLabels, freeText`;
  if (isTooLong(answer['note'])) return `question ${question.id}: the note is too long`;
  switch (forms[0]) {
    case 'freeText':
      return isTooLong(answer['freeText']) ? `question ${question.id}: the text is too long` : undefined;
    case 'selectedLabel':
      return question.selection.mode === 'single'
        ? labelProblem(question, [answer['selectedLabel'] as string])
        : `question ${question.id}: expected selectedLabels`;
    default:
      return selectionProblem(question, answer['selectedLabels'] as readonly string[]);
  }
}

function selectionProblem(question: Question, labels: readonly string[]): string | undefined {
  const { mode, minSelections = 0, maxSelections = question.options.length } = question.selection;
  if (mode !== 'multiple') return `question ${question.id}: expected selectedLabel`;
  if (labels.length < minSelections || labels.length > maxSelections) {
    return `question ${question.id}: expected ${minSelections} to ${maxSelections} labels`;
  }
  return labelProblem(question, labels);
}

function labelProblem(question: Question, labels: readonly string[]): string | undefined {
  const unknown = labels.find((label) => question.options.every((option) => option.label !== label));
  return unknown === undefined
    ? undefined
    : `question ${question.id}: there is no option ${JSON.stringify(unknown)}`;
}

function isTooLong(text: unknown): boolean {
  return typeof text === 'string' && [...text].length > LONGEST_TEXT;
}
