//! The words by which callers speak of people, grave things and times, for comparing with a note.
//!
//! Independent on purpose of the words that callers are read by, in `config/language/en-SG`: one mistake must not hide the
//! other. Patterns are matched against words in lower case without punctuation.

/// A person in the note, and the words by which callers speak of them.
pub const PEOPLE: &[(&str, &str)] = &[
    (
        r"husbands?",
        r"husband|hubby|hubb|lao ?gong|spouse|married|marry|my old man|suami",
    ),
    (r"wife", r"wife|lao ?po|spouse|missus|married|marry|isteri"),
    (
        r"father",
        r"father|dad|papa|pa|pop|appa|ayah|bapa|old man|parents?",
    ),
    (
        r"mother",
        r"mother|mum|mom|mama|ma|amma|mak|ibu|mummy|mommy|parents?|mil",
    ),
    (
        r"parents?",
        r"parents?|father|mother|dad|daddy|mum|mom|mummy|mommy|papa|mama|pa|ma|appa|amma|ayah|ibu|mak|folks",
    ),
    (r"sons?", r"sons?|boy|children|kids?|child"),
    (r"daughters?", r"daughters?|girl|children|kids?|child"),
    (
        r"brothers?",
        r"brothers?|bro|kor|ko|korkor|didi|abang|anna|sibling|gor",
    ),
    (
        r"sisters?",
        r"sisters?|sis|jie|jiejie|mei|meimei|kakak|akka|sibling",
    ),
    (
        r"boyfriend",
        r"boyfriend|bf|stead|boy friend|partner|dating|ex",
    ),
    (
        r"girlfriend",
        r"girlfriend|gf|stead|girl friend|partner|dating|ex",
    ),
    (r"uncle", r"uncle|mama|pakcik|stepfather|shu ?shu|ah ?pek"),
    (r"aunt(ie|y)?", r"aunt|auntie|aunty|makcik|yi|gugu"),
    (
        r"grand(father|mother|parents?)",
        r"grand\w*|ah ?gong|ah ?ma|gong ?gong|por ?por|popo|nenek|atok|thatha|paati|granny|nai ?nai|ye ?ye",
    ),
    (
        r"employer",
        r"employer|boss|sir|maam|madam|manager|agency|house",
    ),
    (
        r"neighbours?",
        r"neighbou?rs?|next door|upstairs|downstairs|opposite|floor|unit",
    ),
    (r"teacher", r"teacher|tutor|cher|coach|school"),
    (
        r"child(ren)?|kids?",
        r"child\w*|kids?|sons?|daughters?|baby|babies|boys?|girls?|toddler|infant|sec|primary|year old|years old|im \w+teen|students?|pupil|school",
    ),
];

/// A grave thing in the note, and words that a caller needs to have said for it.
pub const GRAVE: &[(&str, &str)] = &[
    (
        r"strangl\w*|chok\w+",
        r"chok\w*|strang\w*|neck|throat|breathe?|squeez\w*|suffocat\w*|pillow",
    ),
    (
        r"kni(fe|ves)|chopper|blade",
        r"kni(fe|ves)|chopper|parang|blades?|cleaver|scissors|penknife|an eye|stab\w*",
    ),
    (
        r"threat\w* to kill|death threats?",
        r"kill\w*|chop\w*|dead|die|finish\w*|murder\w*|bury|slash\w*|stab\w*|burn\w*|life|throw\w*",
    ),
    (
        r"pregnan\w+",
        r"pregnan\w*|expecting|baby|trimester|months along|tummy|carrying",
    ),
    (
        r"drunk\w*|alcohol\w*|drinking",
        r"drink\w*|drunk\w*|alcohol\w*|beers?|whisky|vodka|bottles?|wine|mabuk|tiger",
    ),
    (
        r"overdos\w*|pills?|tablets?",
        r"drank|drink|bleach|pills?|tablets?|panadol\w*|medic\w*|overdos\w*|swallow\w*|bills?|paracetamol|strips?|capsules?|took|taken|sleeping|insulin|meds",
    ),
    (r"rap(e|ed|ist|ing)", r"rap(e|ed|ist|ing)"),
    (
        r"stalk\w*",
        r"follow\w*|stalk\w*|outside|wait\w*|track\w*|spy\w*|watch\w*|airtag|turns? up|shows? up|showed|everywhere",
    ),
    (
        r"self harm\w*",
        r"cut\w*|self|harm\w*|blade|burn\w*|hurt\w* myself|scratch\w*|pen ?knife|bruise|hit myself",
    ),
    (
        r"bleed\w*|injur\w*",
        r"bleed\w*|blood\w*|injur\w*|hurt\w*|cuts?|bruis\w*|broke\w*|pain\w*|swollen|swell\w*|wound\w*|stitch\w*|dizzy|hospital|fractur\w*|black\w* out|burn\w*|scald\w*|unconscious|black eye|lips?|faint\w*|ribs?",
    ),
    (
        r"divorc\w*|separat\w*",
        r"divorc\w*|separat\w*|left|leav\w*|ex",
    ),
    (r"passport", r"passport"),
    (
        r"ambulance",
        r"ambulance|bleed\w*|blood\w*|hurt|pills?|bills?|tablets?|panadol\w*|took|taken|swallow\w*|overdos\w*|breathe?|unconscious|injur\w*|cut\w*|wrists?|burn\w*|head|faint\w*|drank|bleach",
    ),
];

pub const NEGATIONS: &str = r"\b(no|not|nope|nah|never|choi|choy|touch wood|nauzubillah|dont|doesnt|didnt|isnt|wasnt|arent|werent|havent|hasnt|hadnt|wont|wouldnt|cant|cannot|couldnt|neither|nor|none|nothing|nobody|without|don|aint|nt)\b";

/// Words with a capital that need no caller: agencies, places of theirs, the schema's words.
pub const CAPITALISED: &str = "ai ambulance adult anonymity anti assault assistant call caller callers care centre child \
    civil defence d vert domestic emergency family force helpline i line msf mindline national nightlight not \
    on plan police protective requested response samaritans service sexual singapore sms sos spf fsc sacc dvert \
    pave navh cps aps team violence harassment warm cold transfer unknown aware";

/// Words by which callers tell a time.
pub const TIMES: &str = r"\b(now|today|tonight|tonite|yesterday|ytd|last|ago|since|morning|afternoon|evening|night|noon|midnight|week\w*|months?|years?|days?|hours?|minutes?|mins?|just|earlier|recently|when i was|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thurs?|fri|sat|sun|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|christmas|deepavali|hari raya|new year|national day|birthday|\d+|still|always|every\w*|keeps?|\w+ing|weekend|deepavali|diwali|ramadan|covid|cny|vesak|o level\w*|psle)\b";

/// Numbers that the service itself brings: telephone numbers.
pub const OWN_NUMBERS: [&str; 10] = [
    "999", "995", "1767", "1800", "777", "0000", "1771", "70999", "70995", "24",
];
