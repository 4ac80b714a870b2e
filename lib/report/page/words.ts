import { type Sentence, told } from '../../views/sentence.ts';
import { LANGUAGES, type Language } from '../report-data.ts';
import { GERMAN } from './german/german.ts';

/** A text of the page in the reader's language, with values for its `{names}`. */
export type Translate = (text: string, values?: Sentence['values']) => string;

const DICTIONARIES: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en: {}, de: GERMAN };

/** Translates texts, which are written in English, into a language. A text that the language lacks stays as it is. */
export function translator(language: Language): Translate {
  const dictionary = DICTIONARIES[language];
  const translated = (text: string) => (Object.hasOwn(dictionary, text) ? (dictionary[text] ?? text) : text);
  return (text, values = {}) => told({ text, values }, translated);
}

/** The locale of figures: the browser's, or the requested language's if that is different. */
export function localeOf(asked: Language | null, browser: string): string {
  return asked === null || languageOf(browser) === asked ? browser : asked;
}

/** The page's language for a locale; English if the page lacks it. */
export function languageOf(locale: string): Language {
  return LANGUAGES.find((language) => locale.toLowerCase().split('-')[0] === language) ?? 'en';
}
