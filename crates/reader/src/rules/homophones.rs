//! What a transcriber mishears, put right where the words around leave no doubt.
//!
//! "My husband hid me again" is "hit me"; "he hid me a present" is not. A rule replaces words only in
//! a context in which they make no other sense, so that an ordinary sentence ("I paid my bills") is
//! left as it was said. Evidence is quoted from what was heard, never from what was put right.

use std::sync::LazyLock;

use super::{pattern::PatternSet, text::Text};

/// A context, as a pattern, and which words in it stand for which.
struct Rule {
    pattern: &'static str,
    /// Misheard, meant. The misheard words stand side by side in the match.
    words: &'static [(&'static str, &'static str)],
}

const RULES: &[Rule] = &[
    // Not misheard, but said in Mandarin or Hokkien, and written down as it sounds.
    Rule {
        pattern: "(?:lao gong|laogong|lau kong|lao kung|low gong|lau gong)",
        words: &[
            ("lao gong", "husband"),
            ("laogong", "husband"),
            ("lau kong", "husband"),
            ("lao kung", "husband"),
            ("low gong", "husband"),
            ("lau gong", "husband"),
        ],
    },
    Rule {
        pattern: "(?:lao po|laopo|lau po|low poh|lao poh)",
        words: &[
            ("lao po", "wife"),
            ("laopo", "wife"),
            ("lau po", "wife"),
            ("low poh", "wife"),
            ("lao poh", "wife"),
        ],
    },
    Rule {
        pattern: "(?:husband|wife|boyfriend|girlfriend|father|dad|mother|mum|son|daughter|brother|sister|he|she) (?:{v2})?eats (?:me|us|meat with (?:the |a |his |her )?(?:broom|belt|ladle|stick|cane|hanger|fists?|hands?))",
        words: &[
            ("eats me", "beats me"),
            ("eats us", "beats us"),
            ("eats meat", "beats me"),
        ],
    },
    Rule {
        pattern: "(?:black|blocked|blog|plot) (?:[0-9]+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)",
        words: &[
            ("black", "block"),
            ("blocked", "block"),
            ("blog", "block"),
            ("plot", "block"),
        ],
    },
    Rule {
        pattern: "dash (?:to|too) (?:[0-9]+|one|two|three|four|five|six|seven|eight|nine|zero|oh)",
        words: &[("dash to", "dash two"), ("dash too", "dash two")],
    },
    Rule {
        pattern: "(?:husband|wife|father|mother|he|she|ta|ba ba|ma ma) da wo(?: |$)",
        words: &[("da wo", "hit me")],
    },
    Rule {
        pattern: "(?:husband|wife|spouse|partner|boyfriend|girlfriend|ex|father|dad|mother|mum|brother|sister|son|daughter|uncle|auntie|stepfather|stepdad|he|she|they|sir|maam|employer|law|madam|man) (?:{v2})?(?:hid|heat|heats|heed|kids|hips|heads|bits|hints|hid on|meats|beets|beads|beat s|bit s|hit s|heaped|hits on|kit|kids meet|hits meet|hates meet|beats meet|hit meet|slabs|slaps me|slept me|kix|kicks meet|wax|wacks|whacks meet|which|chokes meet) (?:me|us)(?: (?:again|last|on|when|until|till|with|just|yesterday|now|so|very|hard|every|in the|because|badly|many|and|at|two|three|after|this|tonight|today|all|since|if|before|sometimes|also|already|there|like|really|for|over|by|across|until|while|whenever|then|here)|$)",
        words: &[
            ("hid", "hit"),
            ("heat", "hit"),
            ("heats", "hits"),
            ("heed", "hit"),
            ("kids", "hits"),
            ("hips", "hits"),
            ("bits", "beats"),
            ("hints", "hits"),
            ("meats", "beats"),
            ("beets", "beats"),
            ("beads", "beats"),
            ("heaped", "hit"),
            ("kit", "hit"),
            ("slabs", "slaps"),
            ("wax", "whacks"),
            ("wacks", "whacks"),
            ("heads", "hits"),
            ("kix", "kicks"),
        ],
    },
    Rule {
        pattern: "(?:husband|wife|boyfriend|girlfriend|father|dad|mother|mum|brother|son|he|she|they|sir|maam) (?:{v2})?(?:kids|hits|beats|kicks|heats|hates|hit|hid|beat|slaps) meet",
        words: &[
            ("kids", "hits"),
            ("heats", "hits"),
            ("hates", "hits"),
            ("hid", "hit"),
            ("meet", "me"),
        ],
    },
    Rule {
        pattern: "{took} (?:{g3})?(?:{dose}|sleeping|pain|heart|too many|a lot of|lots of) (?:{g1})?(?:bills|peels|pins|bill s|hills)",
        words: &[
            ("bills", "pills"),
            ("peels", "pills"),
            ("pins", "pills"),
            ("hills", "pills"),
        ],
    },
    Rule {
        pattern: "(?:sleeping|bottle of|bottles of|handful of|overdosed on|overdose on|overdose of|swallowed|swallow|swallowing) (?:{g2})?(?:bills|peels|hills)",
        words: &[("bills", "pills"), ("peels", "pills"), ("hills", "pills")],
    },
    Rule {
        pattern: "(?:he|she|they|husband|father|dad|brother|son|boyfriend|man|ex|someone|somebody|wife|mum|mother) (?:{v2})?(?:has|have|got|holding|with|took|takes|grabbed|carrying|pulled|brought|had|picked up|waving|pointing)(?: out| up)? (?:an eye|a night|a nice|an ice|and i|a knight|a nife|an knife|and knife|an iife)(?: (?:to|at|and|in|on|now|with|please|from|out|he|she|he is|kitchen|help|against|pointing|pointed)|$)",
        words: &[
            ("an eye", "a knife"),
            ("a night", "a knife"),
            ("a nice", "a knife"),
            ("an ice", "a knife"),
            ("and i", "a knife"),
            ("a knight", "a knife"),
            ("a nife", "a knife"),
            ("an knife", "a knife"),
            ("and knife", "a knife"),
        ],
    },
    Rule {
        pattern: "(?:do not|not) (?:want|wanna|one) to (?:leave|leaf|lift) (?:any ?more|any longer|already)",
        words: &[("leave", "live"), ("leaf", "live"), ("lift", "live")],
    },
    Rule {
        pattern: "(?:can|could) not (?:walk|torque|tall|tock|took|chalk) (?:now|right now|much|loud|loudly|long|freely|here|because (?:{g1})?(?:he|she|they)|(?:he|she|they) (?:is|will|can|might)|properly he|or he|or she)",
        words: &[
            ("walk", "talk"),
            ("torque", "talk"),
            ("tall", "talk"),
            ("tock", "talk"),
            ("took", "talk"),
            ("chalk", "talk"),
        ],
    },
    Rule {
        pattern: "(?:want|wanna|going|gonna|trying|plan|ready|like|tried|wish) to (?:{g1})?(?:keel|kiel|kell|cue|kale|kill) (?:my ?self|my shelf|my cell)",
        words: &[
            ("keel", "kill"),
            ("kiel", "kill"),
            ("kell", "kill"),
            ("kale", "kill"),
            ("shelf", "self"),
            ("cell", "self"),
        ],
    },
    Rule {
        pattern: "(?:end|ending) my (?:lives|like|live|light|knife)",
        words: &[
            ("lives", "life"),
            ("like", "life"),
            ("live", "life"),
            ("light", "life"),
            ("knife", "life"),
        ],
    },
    Rule {
        pattern: "(?:want|wanna|wanted|going|rather|wish) to (?:dye|dai|tie)(?: now| already| tonight| please| today|$)",
        words: &[("dye", "die"), ("dai", "die"), ("tie", "die")],
    },
    Rule {
        pattern: "(?:he|she|they|husband|father|dad|brother|uncle|boyfriend|man|boss|someone|friend|cousin|teacher) (?:{v2})?(?:wrapped|rapped|reaped|ripped|grape|graped) (?:me)(?: (?:last|when|again|and i|in my|while|two|yesterday|years)|$)",
        words: &[
            ("wrapped", "raped"),
            ("rapped", "raped"),
            ("reaped", "raped"),
            ("grape", "raped"),
            ("graped", "raped"),
        ],
    },
    Rule {
        pattern: "(?:i was|i got|been|was|got) (?:wrapped|rapped|reaped|graped) (?:by|when|last|at|two|years|in)",
        words: &[
            ("wrapped", "raped"),
            ("rapped", "raped"),
            ("reaped", "raped"),
            ("graped", "raped"),
        ],
    },
    Rule {
        pattern: "(?:sue a side|sui side|su side|sewer side|sue side)(?:al)?",
        words: &[
            ("sue a side", "suicide"),
            ("sui side", "suicide"),
            ("su side", "suicide"),
            ("sewer side", "suicide"),
            ("sue side", "suicide"),
        ],
    },
    Rule {
        pattern: "(?:joking|chocking|jocking|choking on|shocking) me (?:until|and|i|with|again|last|till|by|on|so|now)",
        words: &[
            ("joking", "choking"),
            ("chocking", "choking"),
            ("jocking", "choking"),
            ("shocking", "choking"),
        ],
    },
    Rule {
        pattern: "(?:chalked|joked|chocked|jocked|cooked|soaked) me (?:until|and i|with his|again|last|till|by the|on the)",
        words: &[
            ("chalked", "choked"),
            ("joked", "choked"),
            ("chocked", "choked"),
            ("jocked", "choked"),
            ("cooked", "choked"),
            ("soaked", "choked"),
        ],
    },
    Rule {
        pattern: "(?:need|want|find|looking for|have|is there|give me) (?:{g2})?(?:a )?(?:shelter|shorter|shelters|shell to|shall to|sheltered|chelta)(?: (?:tonight|for|to|now|please|with|from|me)|$)",
        words: &[
            ("shorter", "shelter"),
            ("shell to", "shelter"),
            ("shall to", "shelter"),
            ("chelta", "shelter"),
        ],
    },
];

static MISHEARD: LazyLock<PatternSet<usize>> =
    LazyLock::new(|| PatternSet::new(RULES.iter().enumerate().map(|(i, rule)| (i, rule.pattern))));

/// Compiles the rules, which otherwise happens in the first turn.
pub(crate) fn prepare() {
    LazyLock::force(&MISHEARD);
}

/// Puts right what was misheard.
pub(crate) fn mend(text: &mut Text<'_>) {
    for hit in MISHEARD.hits(text) {
        let mut at = hit.tokens.start;
        while at < hit.tokens.end {
            let misheard = RULES[hit.meaning].words.iter().find(|(heard, _)| {
                let length = heard.split(' ').count();
                at + length <= hit.tokens.end && text.slice(at..at + length) == *heard
            });
            match misheard {
                Some((heard, meant)) => {
                    let length = heard.split(' ').count();
                    text.replace(at..at + length, meant);
                    // Later hits were found in the words as they were.
                    if meant.split(' ').count() != length {
                        return;
                    }
                    at += length;
                }
                None => at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(heard: &str, meant: &str) {
        let mut text = Text::new(heard);
        mend(&mut text);
        assert_eq!(text.plain(), meant, "{heard}");
    }

    #[test]
    fn what_makes_no_other_sense_is_put_right() {
        check(
            "my husband hid me last night",
            "my husband hit me last night",
        );
        check("he kids me when he's drunk", "he hits me when he is drunk");
        check("my husband kids meet", "my husband hits me");
        check(
            "I took a whole bottle of bills",
            "i took a whole bottle of pills",
        );
        check("I swallowed all the bills", "i swallowed all the pills");
        check(
            "he has an eye and he's coming",
            "he has a knife and he is coming",
        );
        check(
            "I can't walk now he's here",
            "i can not talk now he is here",
        );
        check("I want to keel myself", "i want to kill myself");
        check("she said sue a side", "she said suicide");
    }

    #[test]
    fn ordinary_sentences_are_left_alone() {
        for words in [
            "i paid my bills today",
            "my kids meet me at school",
            "he hid me a present",
            "he hid my phone from me",
            "i have an eye infection",
            "i can not walk far with this knee",
            "we had a nice dinner",
            "he has an eye for detail",
            "they kids me around at work",
            "she wrapped me in a blanket",
            "i took my bills to the bank",
            "he joked with me",
        ] {
            check(words, words);
        }
    }
}
