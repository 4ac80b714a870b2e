/** Post codes are text: some begin with 0, which a number would lose. */
export const PLACES = [
  { city: 'Berlin', postCode: '10115', country: 'Deutschland', latitude: 52.532, longitude: 13.3849 },
  { city: 'München', postCode: '80331', country: 'Deutschland', latitude: 48.1372, longitude: 11.5755 },
  { city: 'Dresden', postCode: '01067', country: 'Deutschland', latitude: 51.0577, longitude: 13.7178 },
  { city: 'Köln', postCode: '50667', country: 'Deutschland', latitude: 50.9384, longitude: 6.9599 },
  { city: 'Leipzig', postCode: '04109', country: 'Deutschland', latitude: 51.3397, longitude: 12.3731 },
  { city: 'Zürich', postCode: '8001', country: 'Schweiz', latitude: 47.3717, longitude: 8.5423 },
  { city: 'Genève', postCode: '1201', country: 'Suisse', latitude: 46.2088, longitude: 6.1423 },
  { city: 'Sankt Pölten', postCode: '3100', country: 'Österreich', latitude: 48.2047, longitude: 15.6256 },
  { city: "L'Aquila", postCode: '67100', country: 'Italia', latitude: 42.3498, longitude: 13.3995 },
  { city: 'Łódź', postCode: '90-001', country: 'Polska', latitude: 51.7769, longitude: 19.4547 },
  { city: 'Boston', postCode: '02108', country: 'USA', latitude: 42.3576, longitude: -71.0636 },
  { city: 'København K', postCode: '1050', country: 'Danmark', latitude: 55.6786, longitude: 12.5871 },
];

export const STREETS = [
  ...['Hauptstraße', 'Am Markt', 'Rue de l’Église', 'Via Roma', 'Bahnhofstrasse', 'Elm Street'],
];

/** With quotes, commas and an ampersand, which careless CSV or SQL would break on. */
export const SITES = [
  ...['Filiale "Am Markt"', 'Müller & Söhne, Schaufenster', "O'Neill's Pub", 'Empfang'],
  ...['Kasse 1; links', 'Foyer / Aufzug', 'Café Größenwahn', 'Gate 100 %', 'Lager (hinten)'],
];

export const APP_GROUPS = [
  ...['Kassen', 'Schaufenster', 'Menüboards', 'Wegweiser', 'Türschilder', 'Videowall', 'Test, intern'],
];

/** Types as players name them; `Licenses` lists fewer. */
export const PLAYER_LICENSE_TYPES = [
  ...['DsPlayerEntry', 'DsPlayerEntry', 'DsPlayerEntry', 'DsPlayerAdvanced', 'DsPlayerAdvanced'],
  ...['DsPlayerPro', 'Player', 'EntryPlayer', 'AdvancedPlayer', 'DsPlayerAdvancedSaas'],
  ...['ColorDoorSignPlayerSaas', 'EPaperDoorSignPlayer'],
];

export const FILES = [
  ...['Herbst "2026".mp4', 'menü_täglich.png', 'loop-4k.mov', 'wetter.json', 'firmware.bin'],
  ...['Preise, neu.pdf'],
];

export const TAGS = ['prod', 'test', 'Büro', 'tag01', 'wichtig!'];
