//! Parsed JSON as the wire types read it: an object is read from an object. Serde by itself would also take the fields of one
//! from an array, in the order in which our source happens to name them.

use serde::Deserializer;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Error as _, IntoDeserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Value};

pub(crate) struct OnlyObjects<'v>(pub &'v Value);

impl<'de> IntoDeserializer<'de, Error> for OnlyObjects<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for OnlyObjects<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(items) => {
                let mut items = SeqDeserializer::new(items.iter().map(OnlyObjects));
                let read = visitor.visit_seq(&mut items)?;
                items.end()?;
                Ok(read)
            }
            Value::Object(fields) => {
                let fields = fields.iter();
                let fields = fields.map(|(name, value)| (name.as_str(), OnlyObjects(value)));
                let mut fields = MapDeserializer::new(fields);
                let read = visitor.visit_map(&mut fields)?;
                fields.end()?;
                Ok(read)
            }
            scalar => scalar.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(_) => Err(Error::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    /// `serde_json` by itself takes null for one without fields.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => Err(Error::invalid_type(Unexpected::Unit, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    /// The wire's enums are strings.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeMap;

    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Colour {
        DarkRed,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Named {
        name: Option<String>,
        #[serde(default)]
        colours: Vec<Colour>,
        #[serde(default)]
        inner: BTreeMap<String, Vec<Named>>,
        #[serde(default)]
        pair: Option<(u8, f64)>,
    }

    fn read(value: &Value) -> Result<Named, Error> {
        Named::deserialize(OnlyObjects(value))
    }

    #[test]
    fn null_is_no_object() {
        type Objects = Vec<serde_json::Map<String, Value>>;
        assert!(Objects::deserialize(OnlyObjects(&json!([null]))).is_err());
        assert!(Objects::deserialize(OnlyObjects(&json!([{}]))).is_ok());
    }

    #[test]
    fn what_is_read_is_what_serde_reads() {
        let value = json!({
            "name": "Night", "colours": ["dark-red"], "pair": [1, 2.5],
            "inner": {"a": [{"name": null}, {}], "b": []}, "unknown": [[{}]],
        });
        let theirs: Named = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(read(&value).unwrap(), theirs);
    }

    #[test]
    fn an_object_is_not_read_from_an_array_however_deep() {
        assert!(serde_json::from_value::<Named>(json!([null, [], {}, null])).is_ok());
        for array in [
            json!([null, [], {}, null]),
            json!({"inner": {"a": [[null, [], {}, null]]}}),
        ] {
            assert!(read(&array).is_err());
        }
    }

    #[test]
    fn a_value_of_another_kind_is_refused() {
        for wrong in [
            json!({"name": 7}),
            json!({"colours": ["blue"]}),
            json!({"pair": [1]}),
            json!({"pair": [1, 2, 3]}),
        ] {
            assert!(read(&wrong).is_err(), "{wrong}");
        }
    }
}
