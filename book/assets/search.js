// Finds the pages and sections that answer a question: BM25 over their texts, and what share of their headings it
// asks for. Rare words count more than frequent ones, and all words of a question more than some.

{
  const ASKING = "about an any best can could do does get good have how i me much my need our should than us use vs we what when where which who would you your".split(" ");
  // What readers call what the book calls otherwise.
  const ALIKE = [
    "chance luck noise significant significance",
    "compare comparing comparison difference",
    "model network classifier deep neural",
    "gpt chatgpt claude gemini llm language",
    "overconfident overconfidence sure",
    "imbalance imbalanced unbalanced prior frequency",
    "abstain abstention decline declining reject",
    "ensemble averaging average pool several",
    "shift drift moving moves moved",
    "fair fairness unfair group",
    "conformal set coverage",
    "multiclass class",
    "cost threshold price",
    "likelihood nll log",
    "data sample size",
    "paper report",
  ];
  const [KIN, TITLE, HEADING, ASIDE, SHOWN] = [0.9, 3, 2, 0.6, 30];
  const ASIDES = /^labs\/|-audit\.html|^use\/(api|glossary|changes|references|quizzes|teaching|courses)|^replicate\/rules|#exercises$/;
  const [K, B] = [1.2, 0.75]; // of BM25

  const stemmer = new Stemmer();
  const known = new Map();
  const stem = (word) => known.get(word) ?? known.set(word, stemmer.stemWord(word)).get(word);
  const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = (text) => words(text).filter((word) => !stopwords.includes(word) && !ASKING.includes(word)).map(stem);
  const sum = (values) => values.reduce((a, b) => a + b, 0);

  // What a question asks for: each of its words, with how much it and its kin count.
  function asked(question) {
    const kept = telling(question);
    return [...new Set(kept.length ? kept : words(question).map(stem))].map((term) => {
      const kin = ALIKE.map((group) => words(group).map(stem)).filter((group) => group.includes(term)).flat();
      return new Map([...kin.map((word) => [word, KIN]), [term, 1]]);
    });
  }

  // What share of a heading is asked for, times how rare that is.
  function match(heading, terms, rare) {
    const own = new Set(heading);
    const held = terms.map((term) => Math.max(0, ...[...term].map(([word, weight]) => (own.has(word) ? weight : 0))));
    return (sum(held.map((weight, i) => weight * rare[i])) * sum(held)) / Math.max(1, own.size);
  }

  // Scores of pages or of sections: what their texts and their headings hold of the terms.
  function weigh(all, terms, rare, told) {
    const length = sum(all.map((one) => one.length)) / all.length;
    for (const one of all) {
      const norm = K * (1 - B + (B * one.length) / length);
      const share = sum(rare.map((r, i) => (one.held[i] ? r : 0))) / sum(rare);
      const body = share * sum(one.held.map((f, i) => (rare[i] * f * (K + 1)) / (f + norm)));
      const heading = body && told * match(telling(one.heading), terms, rare);
      one.score = (ASIDES.test(one.address) ? ASIDE : 1) * (body + heading);
    }
  }

  // How often a text holds each term, and how long it is.
  function read(text, terms) {
    const counts = new Map();
    const all = telling(text);
    all.forEach((word) => counts.set(word, (counts.get(word) ?? 0) + 1));
    return { length: all.length, held: terms.map((term) => sum([...term].map(([word, weight]) => weight * (counts.get(word) ?? 0)))) };
  }

  // Pages and sections that hold words of a question, the best first.
  function find(terms) {
    const [pages, sections] = [[], []];
    for (const [address, own] of Object.entries(SECTIONS).filter(([, own]) => own.length)) {
      const [[, title]] = own;
      const parts = own.map(([anchor, heading, text]) => {
        return { address: `${address}#${anchor}`, title: `${title}: ${heading}`, heading, text, ...read(`${heading} ${text}`, terms) };
      });
      const held = terms.map((_, i) => sum(parts.map((part) => part.held[i])));
      const text = parts.map((part) => part.text).join(" ");
      pages.push({ address, title, heading: title, text, held, length: sum(parts.map((part) => part.length)) });
      sections.push(...parts.slice(1));
    }
    const holding = terms.map((_, i) => sections.filter(({ held }) => held[i]).length);
    const rare = holding.map((n) => Math.log(1 + (sections.length + 0.5) / (n + 0.5)));
    weigh(pages, terms, rare, TITLE); // of a page and its section that hold the word alike, the page
    weigh(sections, terms, rare, HEADING);
    return [...pages, ...sections].filter(({ score }) => score).sort((a, b) => b.score - a.score);
  }

  // The sentence that holds most of the words, and the next; these words in bold.
  function excerpt(text, terms) {
    const holds = (word) => terms.some((term) => term.has(stem(word.toLowerCase())));
    const sentences = text.split(/(?<=[.?!]) (?=\p{Lu})/u);
    const held = sentences.map((sentence) => new Set(words(sentence).filter(holds)).size);
    const best = held.indexOf(Math.max(...held));
    const said = sentences.slice(best, best + 2).join(" ");
    const shown = document.createElement("p");
    for (const part of said.slice(0, 300).split(/([\p{L}\p{N}]+)/u)) {
      shown.append(holds(part) ? Object.assign(document.createElement("strong"), { textContent: part }) : part);
    }
    if (said.length > 300) shown.append("…");
    return shown;
  }

  const question = new URLSearchParams(location.search).get("q") ?? "";
  document.querySelectorAll('input[name="q"]').forEach((field) => (field.value = question));
  const terms = asked(question);
  const found = terms.length ? find(terms) : [];
  const list = document.createElement("ul");
  list.className = "search";
  for (const { address, title, text } of found.slice(0, SHOWN)) {
    const link = Object.assign(document.createElement("a"), { href: address, textContent: title });
    const item = document.createElement("li");
    item.append(link, excerpt(text, terms));
    list.append(item);
  }
  const said = document.createElement("p");
  said.className = "search-summary";
  said.textContent = found.length ? `${found.length} sections hold words of the question; the best come first.` : "No section holds these words.";
  if (question) document.getElementById("search-results").replaceChildren(said, list);
}
