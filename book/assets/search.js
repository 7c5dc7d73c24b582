// Finds the pages and sections that answer a question. MiniSearch ranks them; own are here the words that mean the
// same, what a heading, a page and an aside count, and how what is found is shown.
(() => {
  const ASKING =
    "about an any best can could do does get have how i me much my need " +
    "our should than us use vs we what when where which who why would you your";
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
    "cost price",
    "likelihood nll log",
    "data sample size",
    "paper report",
    "auroc auc roc",
    "platt sigmoid logistic",
    "resampling oversampling undersampling smote weights weighted",
    "multilabel label",
    "install installation pip wheel download",
    "worse worsened hurts",
  ];
  // Questions that a section answers in other words than its own.
  const ASKED = {
    "use/two-classes.html#is-this-ece-bad-what-chance-shows": "good or bad, high or low",
    "use/two-classes.html#how-many-samples-do-i-need-to-calibrate": "samples needed, how large a test set",
    "use/changes.html#how-to-cite": "cite citation number figure claim",
    "use/changes.html": "what is new, what changed in this version, my verdict changed",
    "measure/intervals-and-comparisons.html": "compare two models, is model A better calibrated than model B",
    "language/confidence.html": "LLM says 90 % sure",
    "use/teaching.html#on-monday": "lesson plan",
    "recalibrate/choosing-a-method.html": "which map for 1000",
    "use/two-classes.html#other-questions":
      "multi-label calibration, multilabel, one sigmoid output, time series, prediction sets from a confidence",
    "use/two-classes.html#what-can-go-wrong": "random forest gives 0 and 1",
    "use/files-and-options.html#which-files-are-read": "what format, percent",
    "recalibrate/trained-to-be-calibrated.html": "focal loss",
    "promises/sets-and-abstention.html#a-set-keeps-its-promise-without-calibration": "conformal prediction",
    "answer.html#the-accuracy-fell": "does calibration change the accuracy or the predictions",
    "use/misconceptions.html": "may I calibrate on the training set",
    "promises/several-networks.html": "deep ensembles",
    "measure/proper-scores.html#log-loss-and-brier-score-are-honest": "Brier score vs log loss",
  };
  const DESK = "answer.html"; // answers on the reader's own numbers
  const LONGEST = 300; // letters of an excerpt
  const LONG = 5; // letters of a word from which it may be misspelt
  const ASIDES = new RegExp(
    [
      String.raw`^labs\/`,
      String.raw`^use\/(api|glossary|changes|references|quizzes|teaching|courses)`,
      String.raw`^replicate\/(rules|\w+\d{4}\.html#(?!what-stands|$))`,
      "#exercises$",
    ].join("|"),
  );
  const [HEADING, QUESTION, PAGE, ASIDE, OWN, NAMED, SHOWN] = [4, 10, 0.7, 0.3, 1.2, 100, 30];
  const question = new URLSearchParams(location.search).get("q") ?? "";
  const isOwn = /\bmy\b/i.test(question);
  const name = question.trim().replace(/^calib\.|\(\)$/g, "");
  const isNamed = (address) => address.startsWith("use/api.html#") && address.endsWith(`.${name}`);
  const weight = (address) => {
    if (ASIDES.test(address)) return ASIDE;
    return isOwn && address.startsWith(DESK) ? OWN : 1;
  };

  const stemmer = new Stemmer();
  const WORD = /[\p{L}\p{N}]+/gu;
  const words = (text) => text.toLowerCase().match(WORD) ?? [];
  const alike = new Map(ALIKE.map(words).flatMap((group) => group.map((word) => [stemmer.stemWord(word), group[0]])));
  const terms = new Map([...stopwords, ...words(ASKING)].map((word) => [word, null]));
  const normal = (stem) => alike.get(stem) ?? stem;
  // What is searched for a word; null for a word that is not. Each is stemmed once.
  const term = (word) => {
    if (!terms.has(word)) terms.set(word, normal(stemmer.stemWord(word)));
    return terms.get(word);
  };

  const index = new MiniSearch({
    idField: "address",
    fields: ["heading", "asked", "text", "page"], // its beginning stands for a whole page
    storeFields: ["title", "text", "page"],
    tokenize: words,
    processTerm: term,
    searchOptions: {
      boost: { heading: HEADING, asked: QUESTION, page: PAGE },
      boostDocument: (address) => (isNamed(address) ? NAMED : weight(address)),
      bm25: { k: 1.2, b: 0.5, d: 0.5 },
    },
  });
  for (const [page, parts] of Object.entries(SECTIONS).filter(([, parts]) => parts.length)) {
    const [[, title, text], ...sections] = parts;
    const whole = parts.map((part) => part[2]).join(" ");
    index.add({ address: page, title, heading: title, text, asked: ASKED[page], page: whole });
    index.addAll(
      sections.map(([anchor, heading, text]) => {
        const address = `${page}#${anchor}`;
        return { address, title: `${title}: ${heading}`, heading, text, asked: ASKED[address] };
      }),
    );
  }

  // A word that no text holds is misspelt, or cut short.
  const known = new Set(terms.values());
  const spelling = new MiniSearch({ idField: "word", fields: ["word"] });
  spelling.addAll([...terms.keys()].map((word) => ({ word })));
  const likely = (word) => {
    const options = { fuzzy: word.length < LONG ? 0 : 0.2, prefix: word.length >= LONG - 2 };
    return spelling.search(word, options)[0]?.id;
  };
  const isKnown = (word) => known.has(term(word.toLowerCase()));
  const spelt = (word) => (isKnown(word) ? word : (likely(word) ?? word));

  const make = (name, parts, more) => {
    const made = Object.assign(document.createElement(name), more);
    made.append(...parts);
    return made;
  };

  // A link to where the sentence lies that holds most of the words, which the browser marks there with the words beside
  // them; and this sentence and the next, the words in bold.
  function itemOf({ id, title, text, page = text, terms }) {
    const holds = (word) => terms.includes(term(word.toLowerCase()));
    const sentences = page.split(/(?<=[.?!]) (?=\p{Lu})/u);
    const counts = sentences.map((sentence) => new Set(words(sentence).filter(holds)).size);
    const best = counts.indexOf(Math.max(...counts));
    const parts = sentences[best].split(" ");
    const besides = parts.map((_, i) => parts.slice(Math.max(0, i - 1), i + 2).join(" "));
    const href = addressOf(id, besides.filter((_, i) => words(parts[i]).some(holds)));
    const excerpt = sentences.slice(best, best + 2).join(" ");
    const pieces = excerpt.slice(0, LONGEST).split(/([\p{L}\p{N}]+)/u);
    const bold = pieces.map((piece) => (holds(piece) ? make("strong", [piece]) : piece));
    return make("li", [make("a", [title], { href }), make("p", excerpt.length > LONGEST ? [...bold, "…"] : bold)]);
  }

  // The address of a section, with the texts that the browser marks there.
  function addressOf(id, texts) {
    if (!texts.length) return id;
    const marks = texts.map((text) => `text=${encodeURIComponent(text).replaceAll("-", "%2D")}`);
    const section = id.includes("#") ? id : `${id}#`;
    return `${section}:~:${marks.join("&")}`;
  }

  document.querySelectorAll('input[name="q"]').forEach((field) => (field.value = question));
  const corrected = question.replace(WORD, spelt);
  const ofDesk = { filter: ({ id }) => id.startsWith(DESK) };
  const isAsked = words(corrected).some(term);
  const results = isAsked ? index.search(corrected) : index.search(MiniSearch.wildcard, ofDesk);
  const count = results.length
    ? `${results.length} sections hold words of “${corrected}”; the best come first.`
    : "No section holds these words.";
  const summary = make("p", [count], { className: "search-summary" });
  const list = make("ul", results.slice(0, SHOWN).map(itemOf), { className: "search" });
  if (question) document.getElementById("search-results").replaceChildren(summary, list);
})();
