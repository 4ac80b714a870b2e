import { type Sentence, told } from '../../views/sentence.ts';
import { LANGUAGES, type Language } from '../report-data.ts';
import { GERMAN } from './german/german.ts';

/** A text of the page in the reader's language, with values for its `{names}`. */
export type Translate = (text: string, values?: Sentence['values']) => string;

const DICTIONARIES: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en: {}, de: GERMAN };

/** How texts, which are written in English, are told in a language. One that the language lacks stays as it is. */
export function translator(language: Language): Translate {
  const dictionary = DICTIONARIES[language];
  const translated = (text: string) => (Object.hasOwn(dictionary, text) ? (dictionary[text] ?? text) : text);
  return (text, values = {}) => told({ text, values }, translated);
}

/** The locale in which figures are told: the browser's, or that of the language that was asked for where it is another. */
export function localeOf(asked: Language | null, browser: string): string {
  return asked === null || languageOf(browser) === asked ? browser : asked;
}

/** The page's language for a locale: English where it has no other. */
export function languageOf(locale: string): Language {
  return LANGUAGES.find((language) => locale.toLowerCase().split('-')[0] === language) ?? 'en';
}
