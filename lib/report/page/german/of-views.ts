/** The views' questions, and what they leave open, in German. */
export const GERMAN_OF_VIEWS: Readonly<Record<string, string>> = {
  'Which share of its known time was each screen, player, place, group and source there, and was that enough?':
    'Welchen Anteil der bekannten Zeit waren jeder Bildschirm, Player, Standort, jede Gruppe und Quelle da, und reichte das?',
  'Which days are there, when did each begin and end, and did an export run on it?':
    'Welche Tage gibt es, wann begann und endete jeder, und lief an ihm ein Export?',
  'How long was each player and each screen out on each day, and of how long is that known?':
    'Wie lange war jeder Player und jeder Bildschirm an jedem Tag ausgefallen, und von wie lange ist das bekannt?',
  'In which state was each player and each screen, from when to when, and how is that known?':
    'In welchem Zustand war jeder Player und jeder Bildschirm, von wann bis wann, und woher weiß man das?',
  'What did each player say in which time, since when is it there, and when was it removed?':
    'Was sagte jeder Player in welcher Zeit, seit wann ist er da, und wann wurde er entfernt?',
  'What did each screen say in which time, since when is it there, and when was it removed?':
    'Was sagte jeder Bildschirm in welcher Zeit, seit wann ist er da, und wann wurde er entfernt?',
  'When was each place open?': 'Wann war jeder Standort geöffnet?',
  'When was which player or screen out, for how long, and for how long of its opening hours?':
    'Wann war welcher Player oder Bildschirm ausgefallen, wie lange, und wie lange in seinen Öffnungszeiten?',
  'When was which player offline, for how long, and for how long of its opening hours?':
    'Wann war welcher Player offline, wie lange, und wie lange in seinen Öffnungszeiten?',
  'By which opening hours was each player open, from when to when?':
    'Nach welchen Öffnungszeiten war jeder Player geöffnet, von wann bis wann?',
  'When was which screen off or silent, for how long, and for how long of its opening hours?':
    'Wann war welcher Bildschirm aus oder stumm, wie lange, und wie lange in seinen Öffnungszeiten?',
  'What would each backup storage cost at each price of the price list?':
    'Was würde jeder Backup-Speicher zu jedem Preis der Preisliste kosten?',
  'How full are slots and storages, what is reserved and idle, and what was never backed up?':
    'Wie voll sind Plätze und Speicher, was ist reserviert und ungenutzt, und was wurde nie gesichert?',
  'how large a slot is': 'wie groß ein Platz ist',
  'how much of a slot is used': 'wie viel von einem Platz belegt ist',
  'How do players, screens, transfers, licences and backup develop from day to day?':
    'Wie entwickeln sich Player, Bildschirme, Übertragungen, Lizenzen und Backup von Tag zu Tag?',
  'What in the newest export should be looked at before its figures are trusted?':
    'Was am neuesten Export ist anzusehen, bevor man seinen Zahlen traut?',
  'How fresh and how complete is what the other views say, and did the API change?':
    'Wie aktuell und wie vollständig ist, was die anderen Sichten sagen, und hat sich die API geändert?',
  'How many licences are used, how many are left, and when do they run out?':
    'Wie viele Lizenzen sind belegt, wie viele frei, und wann gehen sie aus?',
  'how many licences there are': 'wie viele Lizenzen es gibt',
  'how many licences are left': 'wie viele Lizenzen frei sind',
  'What changed since 1, 7 and 30 days ago: offline, stale, off, recovered, added, removed, licences, storages?':
    'Was ist seit 1, 7 und 30 Tagen neu: offline, verstummt, aus, wieder da, hinzugekommen, entfernt, Lizenzen, Speicher?',
  'which players went offline or came back': 'welche Player offline gingen oder wiederkamen',
  'which licences ran out': 'welche Lizenzen ausgingen',
  'which storages grew': 'welche Speicher wuchsen',
  'Which players are offline, for how long, and which were never seen?':
    'Welche Player sind offline, wie lange, und welche wurden nie gesehen?',
  'Which players were offline on which day, and for how long?':
    'Welche Player waren an welchem Tag offline, und wie lange?',
  'Which screens were on, off or silent on which day?':
    'Welche Bildschirme waren an welchem Tag an, aus oder stumm?',
  'Which players waited for files on which day, for how many and for how long?':
    'Welche Player warteten an welchem Tag auf Dateien, auf wie viele und wie lange?',
  'what one of its columns says': 'was eine ihrer Spalten sagt',
  'when a player was last seen': 'wann ein Player zuletzt gesehen wurde',
  'Which screens are on, off or silent, and since when?':
    'Welche Bildschirme sind an, aus oder stumm, und seit wann?',
  'whether a screen is on': 'ob ein Bildschirm an ist',
  'when a screen last reported': 'wann ein Bildschirm zuletzt meldete',
  'Which share of the time was each screen on, day by day?':
    'Welchen Anteil der Zeit war jeder Bildschirm an, Tag für Tag?',
  'Which players wait for files, how many and for how long?':
    'Welche Player warten auf Dateien, wie viele und wie lange?',
  'To which city, customer or other group of the config does each player belong?':
    'Zu welchem Ort, Kunden oder anderer Gruppe der Konfiguration gehört jeder Player?',
  'To which city, customer or other group of the config did each player belong on each day?':
    'Zu welchem Ort, Kunden oder anderer Gruppe der Konfiguration gehörte jeder Player an jedem Tag?',
  'How do players, screens and transfers develop in each city, customer or other group of the config?':
    'Wie entwickeln sich Player, Bildschirme und Übertragungen je Ort, Kunde oder anderer Gruppe der Konfiguration?',
  'Which screens were off or silent while their place was open?':
    'Welche Bildschirme waren aus oder stumm, während ihr Standort geöffnet war?',
  'what is in each group': 'was zu jeder Gruppe gehört',
  'which screens are off while their place is open':
    'welche Bildschirme aus sind, während ihr Standort geöffnet ist',
  'the config has no opening hours': 'die Konfiguration hat keine Öffnungszeiten',
};
