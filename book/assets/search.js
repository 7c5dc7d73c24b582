// Headings that hold the query come first, rare words of it counting more than frequent ones;
// of equals those of chapters before those of labs and audits. Exercises have no heading here.

{
  const found = Search._performSearch;
  const stemmer = new Stemmer();
  const words = (text) => new Set(splitQuery(text.toLowerCase()).map((word) => stemmer.stemWord(word)));
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  Search._performSearch = (query, ...terms) => {
    const { alltitles, titles, docnames, filenames } = Search._index;
    const headings = Object.entries(alltitles)
      .filter(([title]) => !/^\(|^Solution to /.test(title))
      .map(([title, places]) => [title, places, words(title)]);
    const asked = [...words(query)].map((word) => {
      const holding = headings.filter(([, , own]) => own.has(word)).length;
      return [word, Math.log(headings.length / (holding + 1))];
    });
    const whole = sum(asked.map(([, rare]) => rare));
    const hits = [];
    for (const [title, places, own] of headings) {
      const held = sum(asked.map(([word, rare]) => (own.has(word) ? rare : 0))) / whole;
      if (held < 0.7) continue;
      for (const [file, id] of places) {
        const whose = titles[file].endsWith(title) ? titles[file] : `${titles[file]} > ${title}`;
        const aside = id === null ? -0.1 : /^labs\/|-audit$/.test(docnames[file]) ? 0.2 : 0;
        const score = held + asked.length / own.size / 10 - aside;
        hits.push([docnames[file], whose, id === null ? "" : `#${id}`, null, score, filenames[file]]);
      }
    }
    hits.sort((a, b) => a[4] - b[4]);
    const known = new Set(hits.map(([name, , anchor]) => name + anchor));
    const others = found(query, ...terms).filter(
      ([name, shown, anchor]) => !known.has(name + anchor) && !/> (\(|Solution to )/.test(shown),
    );
    return [...others, ...hits];
  };
}
